package child

import "syscall"

// endsWithUs makes the system end a child whose parent has ended, however it
// ended.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
