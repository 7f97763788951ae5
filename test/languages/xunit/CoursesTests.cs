using System.Diagnostics;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using Xunit;

/// <summary>The emulator at MOCKADEMY_URL, such as a container's; else one of this run's own.</summary>
public sealed class Mockademy : IDisposable
{
    private readonly Process? process;
    public HttpClient Http { get; }

    public Mockademy()
    {
        var url = Environment.GetEnvironmentVariable("MOCKADEMY_URL");
        if (url is null)
        {
            var arguments = "mockademy start --port 0 --store memory --quiet";
            process = Process.Start(new ProcessStartInfo("npx", arguments) { RedirectStandardOutput = true })!;
            while (url is null && process.StandardOutput.ReadLine() is { } line)
            {
                if (Regex.Match(line, @"ready at (\S+)") is { Success: true } found) url = found.Groups[1].Value;
            }
        }
        Http = new HttpClient { BaseAddress = new Uri(url ?? throw new InvalidOperationException("mockademy has not started")) };
    }

    /// <summary>Sends a control call. Returns its JSON.</summary>
    public async Task<JsonElement> Call(HttpMethod method, string path, object? body = null)
    {
        var request = new HttpRequestMessage(method, $"/_admin/{path}");
        if (body is not null) request.Content = JsonContent.Create(body);
        var response = await Http.SendAsync(request);
        if (!response.IsSuccessStatusCode) throw new HttpRequestException($"{method} {path}: {await response.Content.ReadAsStringAsync()}");
        return await response.Content.ReadFromJsonAsync<JsonElement>();
    }

    public void Dispose() => process?.Kill(entireProcessTree: true);
}

/// <summary>Each test has an organization of its own, and fails for what its app did there that it should not.</summary>
public sealed class CoursesTests(Mockademy mockademy) : IClassFixture<Mockademy>, IAsyncLifetime
{
    // The app of `mockademy exec`; else that of the default world.
    private static readonly string App = Environment.GetEnvironmentVariable("PLATFORM_CLIENT_ID") ?? "notes";
    private JsonElement sandbox;
    private string Slug => sandbox.GetProperty("organization").GetProperty("slug").GetString()!;

    public async Task InitializeAsync() => sandbox = await mockademy.Call(HttpMethod.Post, "sandboxes", new { app = App });

    public async Task DisposeAsync()
    {
        var findings = await mockademy.Call(HttpMethod.Get, $"findings?level=error&organization={Slug}");
        await mockademy.Call(HttpMethod.Delete, $"sandboxes/{sandbox.GetProperty("id")}");
        Assert.Empty(findings.GetProperty("data").EnumerateArray());
    }

    /// <summary>Sample code of an app.</summary>
    private async Task<int> ReadCourses()
    {
        var request = new HttpRequestMessage(HttpMethod.Get, "/v0/courses");
        var token = sandbox.GetProperty("credentials").GetProperty("access_token").GetString();
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        return (int)(await mockademy.Http.SendAsync(request)).StatusCode;
    }

    [Fact]
    public async Task ReadsWithItsToken() => Assert.Equal(200, await ReadCourses());

    [Fact]
    public async Task MeetsAnExpiredToken()
    {
        await mockademy.Call(HttpMethod.Post, "tokens/expire", new { organization = Slug });
        Assert.Equal(401, await ReadCourses());
    }

    [Fact]
    public async Task MeetsAPlatformThatIsDown()
    {
        await mockademy.Call(HttpMethod.Post, "faults", new { match = new { surface = "api", organization = Slug }, effect = "unavailable" });
        Assert.Equal(503, await ReadCourses());
    }
}
