package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

// User is who has signed in.
type User struct {
	Sub   string `json:"sub"`
	Name  string `json:"name"`
	Email string `json:"email"`
}

type flow struct {
	browser, nonce, verifier, returnTo, organization string
	isSilent                                         bool
	until                                            time.Time
}

type session struct {
	user  User
	until time.Time
}

// SignIn is the authorization-code flow, and the sessions that it ends in. Both are in memory, known by secret cookies.
type SignIn struct {
	origin   string
	client   *http.Client
	config   *oauth2.Config
	verifier *oidc.IDTokenVerifier
	mutex    sync.Mutex
	flows    map[string]flow
	sessions map[string]session
}

// freshKeys fetches the keys again for a token that no known one verifies, at most every 30 s: go-oidc 2 by itself keeps
// them for as long as it was allowed to, although the platform may have rotated its keys meanwhile.
type freshKeys struct {
	fetch   func() oidc.KeySet
	mutex   sync.Mutex
	current oidc.KeySet
	since   time.Time
}

func (k *freshKeys) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	k.mutex.Lock()
	keys, isRecent := k.current, time.Since(k.since) < 30*time.Second
	k.mutex.Unlock()
	payload, err := keys.VerifySignature(ctx, jwt)
	if err == nil || isRecent {
		return payload, err
	}
	k.mutex.Lock()
	k.current, k.since = k.fetch(), time.Now()
	keys = k.current
	k.mutex.Unlock()
	return keys.VerifySignature(ctx, jwt)
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func cookieOf(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

func setCookie(w http.ResponseWriter, name, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

var local = regexp.MustCompile(`^/[!-~]*$`)

// returnAddress is on this app's own origin: what begins with a slash is appended to it.
func (s *SignIn) returnAddress(text string) string {
	if !local.MatchString(text) {
		return s.origin + "/"
	}
	return s.origin + text
}

// Begin sends the browser to the platform.
func (s *SignIn) Begin(w http.ResponseWriter, r *http.Request, returnTo, organization string, isSilent bool) {
	state, begun := random(), flow{cookieOf(r, "browser"), random(), random(), returnTo, organization, isSilent, time.Now().Add(10 * time.Minute)}
	if begun.browser == "" {
		begun.browser = random()
	}
	s.mutex.Lock()
	for each, known := range s.flows {
		if time.Now().After(known.until) {
			delete(s.flows, each)
		}
	}
	s.flows[state] = begun
	s.mutex.Unlock()

	challenge := sha256.Sum256([]byte(begun.verifier))
	options := []oauth2.AuthCodeOption{
		oidc.Nonce(begun.nonce),
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(challenge[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256"),
	}
	if organization != "" {
		options = append(options, oauth2.SetAuthURLParam("organization", organization))
	}
	if isSilent {
		options = append(options, oauth2.SetAuthURLParam("prompt", "none"))
	}
	setCookie(w, "browser", begun.browser, 600)
	http.Redirect(w, r, s.config.AuthCodeURL(state, options...), http.StatusFound)
}

// take returns a flow of this browser, once.
func (s *SignIn) take(state, browser string) (flow, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	begun, isKnown := s.flows[state]
	if !isKnown || browser == "" || begun.browser != browser || time.Now().After(begun.until) {
		return flow{}, false
	}
	delete(s.flows, state)
	return begun, true
}

// Callback ends a flow in a session, or on a page.
func (s *SignIn) Callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	begun, isKnown := s.take(query.Get("state"), cookieOf(r, "browser"))
	if !isKnown {
		showPage(w, 400, "This sign-in is finished, took too long, or was begun in another browser.")
		return
	}
	if query.Get("error") == "login_required" && begun.isSilent {
		s.Begin(w, r, begun.returnTo, begun.organization, false)
		return
	}
	if query.Get("error") != "" || query.Get("code") == "" {
		showPage(w, 403, "You have not signed in.")
		return
	}
	user, err := s.redeem(r.Context(), query.Get("code"), begun)
	if err != nil {
		// The kind of an error and no more: its message may quote what was sent.
		log.Printf("sign-in failed: %T", err)
		showPage(w, 400, "You could not be signed in.")
		return
	}
	s.End(cookieOf(r, "session"))
	setCookie(w, "session", s.start(user), 3600)
	http.Redirect(w, r, begun.returnTo, http.StatusFound)
}

func (s *SignIn) redeem(ctx context.Context, code string, begun flow) (User, error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, s.client), 5*time.Second)
	defer cancel()
	tokens, err := s.config.Exchange(ctx, code, oauth2.SetAuthURLParam("code_verifier", begun.verifier))
	if err != nil {
		return User{}, err
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := s.verifier.Verify(ctx, raw)
	if err != nil {
		return User{}, err
	}
	if idToken.Nonce != begun.nonce {
		return User{}, errors.New("another nonce")
	}
	// go-oidc is content with an audience more, and with none as a subject.
	if len(idToken.Audience) != 1 || idToken.Subject == "" {
		return User{}, errors.New("another audience, or nobody")
	}
	var user User
	return user, idToken.Claims(&user)
}

func (s *SignIn) start(user User) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for each, known := range s.sessions {
		if time.Now().After(known.until) {
			delete(s.sessions, each)
		}
	}
	id := random()
	s.sessions[id] = session{user, time.Now().Add(time.Hour)}
	return id
}

// End signs out on the server.
func (s *SignIn) End(id string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.sessions, id)
}

// User is who is signed in at a browser.
func (s *SignIn) User(r *http.Request) (User, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known, isKnown := s.sessions[cookieOf(r, "session")]
	return known.user, isKnown && time.Now().Before(known.until)
}

// setupAddress is where a sign-in after an install comes back to.
func (s *SignIn) setupAddress(organization string) string {
	return s.origin + "/setup?" + url.Values{"organization": {organization}}.Encode()
}
