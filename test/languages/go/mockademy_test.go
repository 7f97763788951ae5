package notes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
)

// The address of the emulator.
var mockademy string

// Uses the emulator at MOCKADEMY_URL, such as a container's; else one of this run's own.
func TestMain(m *testing.M) {
	mockademy = os.Getenv("MOCKADEMY_URL")
	stop := func() {}
	if mockademy == "" {
		mockademy, stop = start()
	}
	status := m.Run()
	stop()
	os.Exit(status)
}

func start() (url string, stop func()) {
	command := exec.Command("npx", "mockademy", "start", "--port", "0", "--store", "memory", "--quiet")
	stdout, err := command.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := command.Start(); err != nil {
		panic(err)
	}
	ready := regexp.MustCompile(`ready at (\S+)`)
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if found := ready.FindStringSubmatch(lines.Text()); found != nil {
			return found[1], func() {
				command.Process.Signal(syscall.SIGTERM)
				command.Wait()
			}
		}
	}
	panic("mockademy has not started")
}

// The app of `mockademy exec`; else that of the default world.
func app() string {
	if id := os.Getenv("PLATFORM_CLIENT_ID"); id != "" {
		return id
	}
	return "notes"
}

// Sends a control call, and reads its JSON into result.
func call(t *testing.T, method, path string, body, result any) {
	t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, mockademy+"/_admin/"+path, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		reason, _ := io.ReadAll(response.Body)
		t.Fatalf("%s %s: %s", method, path, reason)
	}
	if err := json.NewDecoder(response.Body).Decode(result); err != nil {
		t.Fatal(err)
	}
}

type Sandbox struct {
	ID           string `json:"id"`
	Organization struct {
		Slug string `json:"slug"`
	} `json:"organization"`
	Credentials struct {
		AccessToken string `json:"access_token"`
	} `json:"credentials"`
}

type object = map[string]any

// Makes an organization for one test, which ends with it. The test fails for what its app did that it should not.
func newSandbox(t *testing.T) *Sandbox {
	var sandbox Sandbox
	call(t, "POST", "sandboxes", object{"app": app()}, &sandbox)
	t.Cleanup(func() {
		var findings struct {
			Data []struct{ Rule, Message string }
		}
		call(t, "GET", "findings?level=error&organization="+sandbox.Organization.Slug, nil, &findings)
		for _, finding := range findings.Data {
			t.Error(fmt.Sprint(finding))
		}
		call(t, "DELETE", "sandboxes/"+sandbox.ID, nil, &object{})
	})
	return &sandbox
}

func (s *Sandbox) expireTokens(t *testing.T) {
	call(t, "POST", "tokens/expire", object{"organization": s.Organization.Slug}, &object{})
}

func (s *Sandbox) fault(t *testing.T, effect string) {
	match := object{"surface": "api", "organization": s.Organization.Slug}
	call(t, "POST", "faults", object{"match": match, "effect": effect}, &object{})
}

// Sample code of an app.
func readCourses(t *testing.T, token string) int {
	request, _ := http.NewRequest("GET", mockademy+"/v0/courses", nil)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func TestReadsWithItsToken(t *testing.T) {
	t.Parallel()
	sandbox := newSandbox(t)
	if status := readCourses(t, sandbox.Credentials.AccessToken); status != 200 {
		t.Error(status)
	}
}

func TestMeetsAnExpiredToken(t *testing.T) {
	t.Parallel()
	sandbox := newSandbox(t)
	sandbox.expireTokens(t)
	if status := readCourses(t, sandbox.Credentials.AccessToken); status != 401 {
		t.Error(status)
	}
}

func TestMeetsAPlatformThatIsDown(t *testing.T) {
	t.Parallel()
	sandbox := newSandbox(t)
	sandbox.fault(t, "unavailable")
	if status := readCourses(t, sandbox.Credentials.AccessToken); status != 503 {
		t.Error(status)
	}
}
