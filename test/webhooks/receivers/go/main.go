package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

var secret = []byte(os.Getenv("PLATFORM_SIGNING_SECRET"))

func webhook(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(raw)
	given, err := hex.DecodeString(r.Header.Get("Platform-Signature"))
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct{ Type, ID string }
	if json.Unmarshal(raw, &event) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Println(event.Type, event.ID)
}

func main() {
	http.HandleFunc("/webhook", webhook)
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
