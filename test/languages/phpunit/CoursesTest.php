<?php

use PHPUnit\Framework\TestCase;

/** A client of the control API. */
final class Mockademy
{
    private static ?string $url = null;

    /** The emulator at MOCKADEMY_URL, such as a container's; else one of this run's own, which ends with it. */
    public static function url(): string
    {
        return self::$url ??= getenv('MOCKADEMY_URL') ?: self::start();
    }

    private static function start(): string
    {
        $command = ['npx', 'mockademy', 'start', '--port', '0', '--store', 'memory', '--quiet'];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        register_shutdown_function(fn () => proc_terminate($process));
        while ($line = fgets($pipes[1])) {
            if (preg_match('/ready at (\S+)/', $line, $found)) {
                return $found[1];
            }
        }
        throw new RuntimeException('mockademy has not started');
    }

    /** Sends a control call. Returns its JSON. */
    public static function call(string $method, string $path, ?array $body = null): array
    {
        [$status, $text] = self::send($method, "/_admin/$path", 'Content-Type: application/json', json_encode($body));
        if ($status >= 300) {
            throw new RuntimeException("$method $path: $text");
        }
        return json_decode($text, true);
    }

    /** Returns the status and the text. */
    public static function send(string $method, string $path, string $header, string $content = ''): array
    {
        $http = ['method' => $method, 'header' => $header, 'content' => $content, 'ignore_errors' => true];
        $text = file_get_contents(self::url() . $path, false, stream_context_create(['http' => $http]));
        return [(int) explode(' ', $http_response_header[0])[1], $text];
    }
}

/** Each test has an organization of its own, and fails for what its app did there that it should not. */
final class CoursesTest extends TestCase
{
    private array $sandbox;
    private string $slug;

    protected function setUp(): void
    {
        // The app of `mockademy exec`; else that of the default world.
        $app = getenv('PLATFORM_CLIENT_ID') ?: 'notes';
        $this->sandbox = Mockademy::call('POST', 'sandboxes', ['app' => $app]);
        $this->slug = $this->sandbox['organization']['slug'];
    }

    protected function tearDown(): void
    {
        $findings = Mockademy::call('GET', "findings?organization=$this->slug&level=error");
        Mockademy::call('DELETE', "sandboxes/{$this->sandbox['id']}");
        $this->assertSame([], $findings['data']);
    }

    /** Sample code of an app. */
    private function readCourses(): int
    {
        $token = $this->sandbox['credentials']['access_token'];
        return Mockademy::send('GET', '/v0/courses', "Authorization: Bearer $token")[0];
    }

    public function testReadsWithItsToken(): void
    {
        $this->assertSame(200, $this->readCourses());
    }

    public function testMeetsAnExpiredToken(): void
    {
        Mockademy::call('POST', 'tokens/expire', ['organization' => $this->slug]);
        $this->assertSame(401, $this->readCourses());
    }

    public function testMeetsAPlatformThatIsDown(): void
    {
        $match = ['surface' => 'api', 'organization' => $this->slug];
        Mockademy::call('POST', 'faults', ['match' => $match, 'effect' => 'unavailable']);
        $this->assertSame(503, $this->readCourses());
    }
}
