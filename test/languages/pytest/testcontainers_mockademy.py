from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

container = (
    DockerContainer("ghcr.io/mockademy/mockademy:0.1")
    .with_exposed_ports(4600)
    .with_env("MOCKADEMY_STORE", "memory")
    .with_env("MOCKADEMY_TRUST_HOSTS", "host.testcontainers.internal")
    .with_kwargs(extra_hosts={"host.testcontainers.internal": "host-gateway"})
    .waiting_for(HttpWaitStrategy(4600, "/healthz"))
)
with container:
    url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4600)}"
