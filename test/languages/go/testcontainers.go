package notes

import (
	"context"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

// Starts the emulator in a container, whose webhooks reach an app at port 3000 of this machine.
func startContainer(ctx context.Context) (url string, stop func(), err error) {
	container, err := testcontainers.Run(ctx, "ghcr.io/mockademy/mockademy:0.1",
		testcontainers.WithExposedPorts("4600/tcp"),
		testcontainers.WithEnv(map[string]string{
			"MOCKADEMY_STORE":       "memory",
			"MOCKADEMY_TRUST_HOSTS": "host.testcontainers.internal",
		}),
		testcontainers.WithHostPortAccess(3000),
		testcontainers.WithWaitStrategy(wait.ForHTTP("/healthz").WithPort("4600/tcp")),
	)
	if err != nil {
		return "", nil, err
	}
	url, err = container.PortEndpoint(ctx, "4600/tcp", "http")
	return url, func() { _ = testcontainers.TerminateContainer(container) }, err
}
