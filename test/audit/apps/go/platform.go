package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// Platform is its API on behalf of organizations. A token is refreshed after a 401, once, and never before.
type Platform struct {
	baseURL  string
	client   *http.Client
	config   *oauth2.Config
	store    *Store
	mutex    sync.Mutex
	renewals map[string]*renewal  // By access token: requests that are refused together share one.
	pauses   map[string]time.Time // By organization: until when the platform wants to be left alone.
}

type renewal struct {
	done chan struct{}
	err  error
}

// Failure is what this app says where the platform has nothing to say.
type Failure struct {
	status int
	text   string
}

func (f Failure) Error() string { return f.text }

var (
	notInstalled  = Failure{404, "The app is not installed in this organization"}
	withoutAccess = Failure{409, "The app has no access to this organization: install it again"}
	paused        = Failure{429, "The platform has asked for a pause: try again later"}
	refused       = Failure{502, "The platform refuses the request"}
	unavailable   = Failure{503, "The platform cannot be reached: try again later"}
)

// Get reads the payload of an answer into payload. It returns a Failure, or nil.
func (p *Platform) Get(organization, path string, payload interface{}) error {
	isRenewed := false
	for failures := 0; failures < 3; {
		installation, isInstalled := p.store.Of(organization)
		if !isInstalled {
			return notInstalled
		}
		if installation.AccessToken == "" {
			return withoutAccess
		}
		if p.isPaused(organization) {
			return paused
		}
		status, err := p.call(organization, path, installation.AccessToken, payload)
		switch {
		case err == nil && status == 200:
			return nil
		case status == 429:
			return paused
		case status == 401:
			if isRenewed {
				return refused
			}
			if p.renew(organization, installation) != nil {
				return unavailable
			}
			isRenewed = true
		case status >= 400 && status < 500:
			return Failure{status, "The platform answered " + strconv.Itoa(status)}
		default:
			failures++
			time.Sleep(time.Duration(failures) * 100 * time.Millisecond)
		}
	}
	return unavailable
}

// call sends one request. The status is 0 when there is no usable answer.
func (p *Platform) call(organization, path, accessToken string, payload interface{}) (int, error) {
	request, err := http.NewRequest("GET", p.baseURL+path, nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+accessToken)
	response, err := p.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if wait := response.Header.Get("Retry-After"); response.StatusCode == 429 || (response.StatusCode == 503 && wait != "") {
		seconds, err := strconv.Atoi(wait)
		if err != nil {
			seconds = 5
		}
		p.mutex.Lock()
		p.pauses[organization] = time.Now().Add(time.Duration(seconds) * time.Second)
		p.mutex.Unlock()
		return 429, nil
	}
	if response.StatusCode != 200 {
		return response.StatusCode, nil
	}
	return 200, json.NewDecoder(response.Body).Decode(&struct{ Payload interface{} }{payload})
}

func (p *Platform) isPaused(organization string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return time.Now().Before(p.pauses[organization])
}

// renew refreshes the tokens of an installation. What comes while a refresh is under way has the same result.
func (p *Platform) renew(organization string, used Installation) error {
	p.mutex.Lock()
	if known, _ := p.store.Of(organization); known != used {
		p.mutex.Unlock()
		return nil
	}
	shared := p.renewals[used.AccessToken]
	if shared == nil {
		shared = &renewal{done: make(chan struct{})}
		p.renewals[used.AccessToken] = shared
		p.mutex.Unlock()
		shared.err = p.refresh(organization, used)
		p.mutex.Lock()
		delete(p.renewals, used.AccessToken)
		close(shared.done)
	}
	p.mutex.Unlock()
	<-shared.done
	return shared.err
}

func (p *Platform) refresh(organization string, used Installation) error {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, p.client)
	fresh, err := p.config.TokenSource(ctx, &oauth2.Token{RefreshToken: used.RefreshToken}).Token()
	var answer *oauth2.RetrieveError
	if errors.As(err, &answer) {
		var body struct{ Error string }
		// Only this is final. After anything else the tokens may work later.
		if json.Unmarshal(answer.Body, &body) == nil && body.Error == "invalid_grant" {
			return p.store.Replace(organization, used, "", "")
		}
	}
	if err != nil {
		return err
	}
	return p.store.Replace(organization, used, fresh.AccessToken, fresh.RefreshToken)
}

// Courses and elements, as far as they are shown.
type Course struct{ ID, Name string }
type Element struct{ ID, Name, Type string }

// Elements reads every page.
func (p *Platform) Elements(organization string) ([]Element, error) {
	elements, path := []Element{}, "/v0/elements"
	for {
		var page struct {
			Data []Element
			Next string
		}
		if err := p.Get(organization, path, &page); err != nil {
			return nil, err
		}
		elements = append(elements, page.Data...)
		if page.Next == "" {
			return elements, nil
		}
		path = "/v0/elements?page=" + url.QueryEscape(strings.TrimSpace(page.Next))
	}
}
