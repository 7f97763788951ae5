import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** The emulator in a container, whose webhooks reach an app at port 3000 of this machine. */
class MockademyContainer extends GenericContainer<MockademyContainer> {
  MockademyContainer() {
    super("ghcr.io/mockademy/mockademy:0.1");
    withExposedPorts(4600);
    withEnv("MOCKADEMY_STORE", "memory");
    withEnv("MOCKADEMY_TRUST_HOSTS", "host.testcontainers.internal");
    waitingFor(Wait.forHttp("/healthz").forPort(4600));
    Testcontainers.exposeHostPorts(3000);
    withAccessToHost(true);
  }

  String url() {
    return "http://" + getHost() + ":" + getMappedPort(4600);
  }
}
