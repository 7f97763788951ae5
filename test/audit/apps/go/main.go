// Course Notes on net/http, go-oidc and x/oauth2: one process, a queue behind the webhook, pooled connections.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func sendJSON(w http.ResponseWriter, status int, body interface{}) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func sendError(w http.ResponseWriter, err error) {
	failure := Failure{500, "Something went wrong here"}
	errors.As(err, &failure)
	sendJSON(w, failure.status, map[string]string{"error": failure.text})
}

func showPage(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><title>Course Notes</title><p>%s</p><p><a href="/login">Sign in</a></p>`, html.EscapeString(text))
}

// webhook acknowledges what is signed, and leaves the work to the queue.
func webhook(store *Store, secret string, wake chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			sendError(w, Failure{405, "The platform posts"})
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
		if err != nil {
			sendError(w, Failure{413, "The body cannot be read"})
			return
		}
		given, err := hex.DecodeString(r.Header.Get("Platform-Signature"))
		expected := hmac.New(sha256.New, []byte(secret))
		expected.Write(body)
		if err != nil || !hmac.Equal(given, expected.Sum(nil)) {
			sendError(w, Failure{401, "The signature is not valid"})
			return
		}
		var event Event
		err = json.Unmarshal(body, &event)
		isOurs := event.Type == "app.installed" || event.Type == "app.uninstalled"
		if event.Type == "" || (isOurs && (err != nil || event.InstallationID == "" || event.Data.Organization.ID == "")) {
			sendError(w, Failure{400, "This is no event of the platform"})
			return
		}
		if isOurs {
			if err := store.Enqueue(event); err != nil {
				sendError(w, err)
				return
			}
			select {
			case wake <- struct{}{}:
			default:
			}
		}
		sendJSON(w, 200, map[string]bool{"received": true})
	}
}

func main() {
	origin, appURL := os.Getenv("ORIGIN"), os.Getenv("PLATFORM_APP_URL")
	store, err := openStore(filepath.Join(os.Getenv("VAR"), "store"), os.Getenv("APP_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Timeout: 4 * time.Second}
	withClient := oidc.ClientContext(context.Background(), client)
	provider, err := oidc.NewProvider(withClient, appURL)
	if err != nil {
		log.Fatal(err)
	}
	var discovered struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&discovered); err != nil {
		log.Fatal(err)
	}
	fetchKeys := func() oidc.KeySet { return oidc.NewRemoteKeySet(withClient, discovered.Keys) }
	endpoint := provider.Endpoint()
	// Without a style oauth2 tries both, and sends a code that was refused a second time.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	config := &oauth2.Config{
		ClientID:     os.Getenv("PLATFORM_CLIENT_ID"),
		ClientSecret: os.Getenv("PLATFORM_CLIENT_SECRET"),
		Endpoint:     endpoint,
		RedirectURL:  origin + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	platform := &Platform{baseURL: os.Getenv("PLATFORM_BASE_URL"), client: client, config: config, store: store,
		renewals: map[string]*renewal{}, pauses: map[string]time.Time{}}
	signIn := &SignIn{origin: origin, client: client, config: config,
		verifier: oidc.NewVerifier(appURL, &freshKeys{fetch: fetchKeys, current: fetchKeys()}, &oidc.Config{ClientID: config.ClientID}),
		flows:    map[string]flow{}, sessions: map[string]session{}}

	wake := make(chan struct{}, 1)
	wake <- struct{}{} // For what was queued before a restart.
	go func() {
		for range wake {
			time.Sleep(20 * time.Millisecond) // What comes in a burst is worked together.
			if err := store.Work(); err != nil {
				log.Printf("the queue cannot be worked: %v", err)
			}
		}
	}()

	http.HandleFunc("/webhook", webhook(store, os.Getenv("PLATFORM_SIGNING_SECRET"), wake))
	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		signIn.Begin(w, r, signIn.returnAddress(r.URL.Query().Get("returnTo")), "", false)
	})
	http.HandleFunc("/callback", signIn.Callback)
	http.HandleFunc("/me", func(w http.ResponseWriter, r *http.Request) {
		if user, isIn := signIn.User(r); isIn {
			sendJSON(w, 200, user)
		} else {
			sendError(w, Failure{401, "Nobody is signed in"})
		}
	})
	http.HandleFunc("/logout", func(w http.ResponseWriter, r *http.Request) {
		from := r.Header.Get("Origin")
		if r.Method != http.MethodPost || (from != "" && from != origin) {
			sendError(w, Failure{403, "Sign out from this app's own pages"})
			return
		}
		signIn.End(cookieOf(r, "session"))
		setCookie(w, "session", "", -1)
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	// Where the platform sends whoever has installed the app. The slug proves nothing: only its installer is told of it.
	http.HandleFunc("/setup", func(w http.ResponseWriter, r *http.Request) {
		organization := r.URL.Query().Get("organization")
		user, isIn := signIn.User(r)
		installation, isInstalled := store.Of(organization)
		if !isIn {
			signIn.Begin(w, r, signIn.setupAddress(organization), organization, true)
		} else if isInstalled && installation.Installer == user.Sub {
			showPage(w, 200, "Course Notes is ready for "+installation.Name)
		} else {
			showPage(w, 200, "You are signed in. Have you just installed Course Notes? Then reload this page in a moment.")
		}
	})
	http.HandleFunc("/organizations/", func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/organizations/"), "/")
		if len(parts) != 2 || (parts[1] != "courses" && parts[1] != "elements") {
			sendError(w, notInstalled)
			return
		}
		// The operator sees every organization, a person the one that they installed the app in, as if there were no other.
		installation, isInstalled := store.Of(parts[0])
		if !hmac.Equal([]byte(r.Header.Get("X-Operator-Key")), []byte(os.Getenv("OPERATOR_KEY"))) {
			if user, isIn := signIn.User(r); !isIn {
				sendError(w, Failure{401, "Nobody is signed in"})
				return
			} else if !isInstalled || installation.Installer != user.Sub {
				sendError(w, notInstalled)
				return
			}
		}
		if parts[1] == "elements" {
			elements, err := platform.Elements(parts[0])
			sendResult(w, elements, err)
			return
		}
		var courses struct{ Data []Course }
		err := platform.Get(parts[0], "/v0/courses", &courses)
		sendResult(w, courses.Data, err)
	})
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			sendError(w, Failure{404, "There is nothing here"})
			return
		}
		showPage(w, 200, "Welcome to Course Notes")
	})

	log.Printf("ready at %s", origin)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "same-origin")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.DefaultServeMux.ServeHTTP(w, r)
	})))
}

func sendResult(w http.ResponseWriter, body interface{}, err error) {
	if err != nil {
		sendError(w, err)
		return
	}
	sendJSON(w, 200, body)
}
