using DotNet.Testcontainers.Builders;
using DotNet.Testcontainers.Configurations;

/// <summary>The emulator in a container, whose webhooks reach an app at port 3000 of this machine.</summary>
public static class MockademyContainer
{
    public static async Task<string> Start()
    {
        await TestcontainersSettings.ExposeHostPortsAsync(3000);
        var container = new ContainerBuilder()
            .WithImage("ghcr.io/mockademy/mockademy:0.1")
            .WithPortBinding(4600, assignRandomHostPort: true)
            .WithEnvironment("MOCKADEMY_STORE", "memory")
            .WithEnvironment("MOCKADEMY_TRUST_HOSTS", "host.testcontainers.internal")
            .WithWaitStrategy(Wait.ForUnixContainer().UntilHttpRequestIsSucceeded(http => http.ForPort(4600).ForPath("/healthz")))
            .Build();
        await container.StartAsync();
        return $"http://{container.Hostname}:{container.GetMappedPublicPort(4600)}";
    }
}
