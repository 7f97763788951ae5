package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	oidc "github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func random() string {
	bytes := make([]byte, 48)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("PLATFORM_APP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Getenv("PLATFORM_CLIENT_ID")})
	config := oauth2.Config{
		ClientID:     os.Getenv("PLATFORM_CLIENT_ID"),
		ClientSecret: os.Getenv("PLATFORM_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "http://localhost:" + port + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, secret := random(), random(), random()
		value := strings.Join([]string{state, nonce, secret}, ".")
		http.SetCookie(w, &http.Cookie{Name: "checks", Value: value, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		hash := sha256.Sum256([]byte(secret))
		http.Redirect(w, r, config.AuthCodeURL(state, oidc.Nonce(nonce),
			oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(hash[:])),
			oauth2.SetAuthURLParam("code_challenge_method", "S256")), http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		claims, err := signIn(r, config, verifier)
		if err != "" {
			http.Error(w, err, http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(claims)
	})

	log.Fatal(http.ListenAndServe("localhost:"+port, nil))
}

// signIn returns the claims of the id_token, or why there are none.
func signIn(r *http.Request, config oauth2.Config, verifier *oidc.IDTokenVerifier) (map[string]interface{}, string) {
	cookie, err := r.Cookie("checks")
	if err != nil {
		return nil, "no sign-in was begun in this browser"
	}
	checks := strings.Split(cookie.Value, ".")
	if len(checks) != 3 || r.URL.Query().Get("state") != checks[0] {
		return nil, "another state"
	}
	code := oauth2.SetAuthURLParam("code_verifier", checks[2])
	tokens, err := config.Exchange(r.Context(), r.URL.Query().Get("code"), code)
	if err != nil {
		return nil, err.Error()
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := verifier.Verify(r.Context(), raw)
	if err != nil {
		return nil, err.Error()
	}
	if idToken.Nonce != checks[1] || idToken.Subject == "" {
		return nil, "another nonce, or nobody"
	}
	var claims map[string]interface{}
	if err := idToken.Claims(&claims); err != nil {
		return nil, err.Error()
	}
	return claims, ""
}
