// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// mostServed is how many commands a process runs, so that no process has what many files leave in its memory.
const mostServed = 128

// answerFollows ends the standard error of a command.
const answerFollows = "superpoint: the answer follows"

// Close ends the process, which is idle.
func (c *Companion) Close() {
	if c.process == nil {
		return
	}
	_ = c.in.Close() // the process may have ended
	c.end()
	for range c.said {
		continue // to the end of its standard error
	}
	_ = c.process.Wait() // it was ended
	*c = Companion{}
}

// run runs a command. It returns what it prints, and the lines of its standard error in said. It fails if the
// process or the command does.
func (c *Companion) run(ctx context.Context, folder string, input []byte, args []string) (out []byte,
	said []string, err error) {
	if c.served >= mostServed {
		c.Close()
	}
	if err := c.start(ctx); err != nil {
		return nil, nil, err
	}
	c.served++
	if folder == "" {
		folder = "."
	}
	out, said, err = c.ask(append([]string{folder, string(input)}, args...))
	if err != nil {
		c.Close()
	}
	return out, said, err
}

func (c *Companion) start(ctx context.Context) error {
	if c.process != nil {
		return nil
	}
	program, err := pdalProgram()
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	p := exec.CommandContext(ctx, program, "superpoint", "requests")
	p.SysProcAttr = endsWithUs()
	p.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=lines")
	in, err := p.StdinPipe()
	if err != nil {
		end()
		return err
	}
	out, err := p.StdoutPipe()
	if err != nil {
		end()
		return err
	}
	said, err := p.StderrPipe()
	if err != nil {
		end()
		return err
	}
	if err := p.Start(); err != nil {
		end()
		return err
	}
	c.process, c.end = p, end
	c.in, c.out = in, bufio.NewReader(out)
	c.said = make(chan string, 1024)
	go listen(said, c.said)
	return nil
}

// listen sends the lines of a stream, and closes the channel at its end.
func listen(from io.Reader, lines chan<- string) {
	defer close(lines)
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			lines <- strings.TrimSuffix(line, "\n")
		}
		if err != nil {
			return
		}
	}
}

// ask sends a request and returns the answer.
func (c *Companion) ask(request []string) (out []byte, said []string, err error) {
	if _, err := c.in.Write(formatList(request)); err != nil {
		return nil, nil, err
	}
	for line := range c.said {
		if line == answerFollows {
			return c.answer(said)
		}
		said = append(said, line)
	}
	return nil, nil, errors.New("the process ended")
}

func (c *Companion) answer(said []string) ([]byte, []string, error) {
	answer, err := readList(c.out)
	if err != nil {
		return nil, nil, err
	}
	if len(answer) != 2 || answer[0] != "0" {
		return nil, nil, fmt.Errorf("the command failed: %q", answer)
	}
	return []byte(answer[1]), said, nil
}

// formatList writes strings as readList in Requests.cpp reads them.
func formatList(list []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d\n", len(list))
	for _, text := range list {
		fmt.Fprintf(&b, "%d\n%s", len(text), text)
	}
	return b.Bytes()
}

func readList(r *bufio.Reader) (list []string, err error) {
	count, err := readLength(r)
	if err != nil {
		return nil, err
	}
	for range count {
		length, err := readLength(r)
		if err != nil {
			return nil, err
		}
		text := make([]byte, length)
		if _, err := io.ReadFull(r, text); err != nil {
			return nil, err
		}
		list = append(list, string(text))
	}
	return list, nil
}

func readLength(r *bufio.Reader) (int, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(line, "\n"), 10, 31)
	return int(n), err
}

// runInCompanion is run in the companion. It reports whether the command succeeded; what it said is passed on
// only then.
func (c Process) runInCompanion(ctx context.Context, input []byte, args []string) (out []byte, done bool) {
	out, lines, err := c.Companion.run(ctx, c.Folder, input, args)
	if err != nil {
		return nil, false
	}
	var warnings []string
	silent := c
	silent.Warn = func(text string) { warnings = append(warnings, text) }
	said := &listener{Process: silent}
	for _, line := range lines {
		said.hear(line)
	}
	if said.errors(args[0]) != "" {
		return nil, false
	}
	if c.Warn != nil {
		for _, text := range warnings {
			c.Warn(text)
		}
	}
	return out, true
}
