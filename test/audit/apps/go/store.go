package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Installation is what is known of an organization. What is left of an ended one keeps ChangedAt alone.
type Installation struct {
	ID, Name, Installer       string
	AccessToken, RefreshToken string // Empty: there are none, or the platform does not take them any more.
	ChangedAt                 time.Time
}

// Event of the platform, as far as it is used.
type Event struct {
	Type           string    `json:"type"`
	CreatedAt      time.Time `json:"created_at"`
	InstallationID string    `json:"installation_id"`
	Data           struct {
		Organization struct{ ID, Name string }
		Installer    struct{ ID string }
		Credentials  struct {
			AccessToken  string `json:"access_token"`
			RefreshToken string `json:"refresh_token"`
		}
	}
}

// Store is a file, sealed with AES-GCM, and its content in memory.
type Store struct {
	mutex   sync.Mutex
	path    string
	seal    cipher.AEAD
	content struct {
		Organizations map[string]Installation
		Ended         map[string]bool // Installations that are over; nothing brings them back.
		Queue         []Event         // Acknowledged, not worked yet.
	}
}

func openStore(path, secret string) (*Store, error) {
	key := sha256.Sum256([]byte(secret))
	block, _ := aes.NewCipher(key[:])
	seal, _ := cipher.NewGCM(block)
	store := &Store{path: path, seal: seal}
	store.content.Organizations = map[string]Installation{}
	store.content.Ended = map[string]bool{}
	sealed, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return store, nil
	}
	if err != nil || len(sealed) < seal.NonceSize() {
		return nil, errors.New("the store cannot be read")
	}
	text, err := seal.Open(nil, sealed[:seal.NonceSize()], sealed[seal.NonceSize():], nil)
	if err != nil {
		return nil, err
	}
	return store, json.Unmarshal(text, &store.content)
}

// save is called with the mutex held, after every change.
func (s *Store) save() error {
	text, err := json.Marshal(s.content)
	if err != nil {
		return err
	}
	nonce := make([]byte, s.seal.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	if err := os.WriteFile(s.path+".new", s.seal.Seal(nonce, nonce, text, nil), 0o600); err != nil {
		return err
	}
	return os.Rename(s.path+".new", s.path)
}

// Of returns what is installed in an organization.
func (s *Store) Of(organization string) (Installation, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	installation := s.content.Organizations[organization]
	return installation, installation.ID != ""
}

// Enqueue keeps an event until it is worked, also when the app ends before.
func (s *Store) Enqueue(event Event) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.content.Queue = append(s.content.Queue, event)
	return s.save()
}

// Work does what the queued events say. Each installation counts once: what is known, over or older changes nothing.
func (s *Store) Work() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	content := &s.content
	for _, event := range content.Queue {
		organization, id, data := event.Data.Organization.ID, event.InstallationID, event.Data
		known := content.Organizations[organization]
		switch event.Type {
		case "app.installed":
			if content.Ended[id] || known.ID == id || event.CreatedAt.Before(known.ChangedAt) {
				continue
			}
			if known.ID != "" {
				content.Ended[known.ID] = true
			}
			content.Organizations[organization] = Installation{id, data.Organization.Name, data.Installer.ID,
				data.Credentials.AccessToken, data.Credentials.RefreshToken, event.CreatedAt}
		case "app.uninstalled":
			// It ends its own installation and older ones; one that was made meanwhile stays.
			content.Ended[id] = true
			if known.ID == id || event.CreatedAt.After(known.ChangedAt) {
				content.Organizations[organization] = Installation{ChangedAt: event.CreatedAt}
			}
		}
	}
	content.Queue = nil
	return s.save()
}

// Replace changes the tokens of an installation, unless it has come to an end or to others meanwhile.
func (s *Store) Replace(organization string, used Installation, accessToken, refreshToken string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.content.Organizations[organization]
	if known != used {
		return nil
	}
	known.AccessToken, known.RefreshToken = accessToken, refreshToken
	s.content.Organizations[organization] = known
	return s.save()
}
