// Package cluster holds no code of ours in Go, only this check of the templates
// for Kubernetes and AWS Batch, which no test can run here.
package cluster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// job is what a Job of batch/v1 must have (Kubernetes API reference 1.27).
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    any
		Parallelism    int
		BackoffLimit   int `yaml:"backoffLimit"`
		Template       struct {
			Spec struct {
				RestartPolicy string `yaml:"restartPolicy"`
				Containers    []struct {
					Name, Image string
					Command     []string
					Resources   struct{ Requests, Limits map[string]string }
					Mounts      []struct {
						Name string
						Path string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
				Volumes []struct {
					Name  string
					Claim struct {
						Name string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

func units() map[string]string {
	return map[string]string{
		"cut": "survey cut /survey/project $", "run": "survey run --threads 2 /survey/project $",
		"embed": "survey embed --threads 2 /survey/project $",
		"join":  "survey join /survey/project", "refine": "survey refine /survey/project $",
		"stitch": "survey stitch /survey/project", "finish": "survey finish /survey/project $",
	}
}

// single tells whether a unit is one for the whole survey.
func single(unit string) bool { return unit == "join" || unit == "stitch" }

func TestKubernetesJobs(t *testing.T) {
	for unit, command := range units() {
		text, err := os.ReadFile(filepath.Join("k8s", unit+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var j job
		d := yaml.NewDecoder(strings.NewReader(string(text)))
		d.KnownFields(true)
		if err := d.Decode(&j); err != nil {
			t.Errorf("%s: %v", unit, err)
			continue
		}
		pod := j.Spec.Template.Spec
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Metadata.Name != "superpoint-"+unit ||
			pod.RestartPolicy != "Never" || len(pod.Containers) != 1 || len(pod.Volumes) != 1 {
			t.Fatalf("%s: %+v", unit, j)
		}
		c := pod.Containers[0]
		shell := strings.Join(c.Command, " ")
		if !strings.Contains(shell, "pdal superpoint "+command) || strings.Contains(shell, "$") != !single(unit) {
			t.Errorf("%s runs %q", unit, shell)
		}
		if (j.Spec.CompletionMode == "Indexed") != !single(unit) || strings.Contains(shell, "$") &&
			!strings.Contains(shell, "$JOB_COMPLETION_INDEX") {
			t.Errorf("%s: mode %q runs %q", unit, j.Spec.CompletionMode, shell)
		}
		if len(c.Mounts) != 1 || c.Mounts[0].Name != pod.Volumes[0].Name ||
			c.Resources.Limits["memory"] != c.Resources.Requests["memory"] {
			t.Errorf("%s: %+v", unit, c)
		}
	}
}

func TestBatchJobs(t *testing.T) {
	after := map[string]string{"embed": "CUT_JOB", "run": "EMBED_JOB", "join": "RUN_JOB", "refine": "JOIN_JOB",
		"stitch": "REFINE_JOB", "finish": "STITCH_JOB"}
	for unit, command := range units() {
		var j struct {
			JobName, JobQueue, JobDefinition string
			ArrayProperties                  *struct{ Size string }
			DependsOn                        []struct{ JobID string }
			ContainerOverrides               struct{ Command []string }
		}
		strict(t, filepath.Join("aws", unit+".json"), &j)
		shell := strings.Join(j.ContainerOverrides.Command, " ")
		if j.JobName != "superpoint-"+unit || j.JobDefinition != "superpoint" ||
			(j.ArrayProperties != nil) != !single(unit) || !strings.Contains(shell, "pdal superpoint "+command) {
			t.Errorf("%s: %+v", unit, j)
		}
		if (len(j.DependsOn) == 1) != (unit != "cut") || len(j.DependsOn) == 1 && j.DependsOn[0].JobID != after[unit] {
			t.Errorf("%s waits for %+v", unit, j.DependsOn)
		}
	}
}

func TestBatchDefinition(t *testing.T) {
	var d struct {
		JobDefinitionName, Type string
		PlatformCapabilities    []string
		RetryStrategy           struct{ Attempts int }
		Timeout                 struct{ AttemptDurationSeconds int }
		ContainerProperties     struct {
			Image                string
			Command              []string
			ResourceRequirements []struct{ Type, Value string }
			Volumes              []struct {
				Name                   string
				EFSVolumeConfiguration struct{ FileSystemID string }
			}
			MountPoints []struct {
				SourceVolume, ContainerPath string
				ReadOnly                    bool
			}
		}
	}
	strict(t, filepath.Join("aws", "job-definition.json"), &d)
	c := d.ContainerProperties
	if d.Type != "container" || d.RetryStrategy.Attempts < 1 || len(c.ResourceRequirements) != 2 ||
		len(c.Volumes) != 1 || len(c.MountPoints) != 1 || c.MountPoints[0].SourceVolume != c.Volumes[0].Name {
		t.Errorf("%+v", d)
	}
}

func strict(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
