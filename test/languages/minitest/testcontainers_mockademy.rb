require "testcontainers"

container = Testcontainers::DockerContainer.new("ghcr.io/mockademy/mockademy:0.1")
container.with_exposed_port(4600)
container.with_env("MOCKADEMY_STORE", "memory")
container.start
container.wait_for_http(container_port: 4600, path: "/healthz")
ENV["MOCKADEMY_URL"] = "http://#{container.host}:#{container.mapped_port(4600)}"
Minitest.after_run { container.stop }
