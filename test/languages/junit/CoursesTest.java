import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Scanner;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each test has an organization of its own, and fails for what its app did there that it should not. */
class CoursesTest {
  private static final HttpClient http = HttpClient.newHttpClient();
  private static String mockademy = System.getenv("MOCKADEMY_URL");
  private static Process process;

  /** The app of `mockademy exec`; else that of the default world. */
  private static final String APP = System.getenv().getOrDefault("PLATFORM_CLIENT_ID", "notes");

  private String sandbox;
  private String slug;
  private String token;

  /** Uses the emulator at MOCKADEMY_URL, such as a container's; else one of this run's own. */
  @BeforeAll
  static void start() throws Exception {
    if (mockademy != null) return;
    process = new ProcessBuilder("npx", "mockademy", "start", "--port", "0", "--store", "memory", "--quiet").start();
    var ready = new Scanner(process.getInputStream()).findWithinHorizon("ready at (\\S+)", 0);
    mockademy = ready.substring("ready at ".length());
  }

  @AfterAll
  static void stop() {
    if (process != null) process.destroy();
  }

  @BeforeEach
  void makeSandbox() throws Exception {
    var made = call("POST", "sandboxes", "{\"app\":\"" + APP + "\"}");
    sandbox = find("\\{\"id\":\"([^\"]+)", made);
    slug = find("\"slug\":\"([^\"]+)", made);
    token = find("\"access_token\":\"([^\"]+)", made);
  }

  @AfterEach
  void endSandbox() throws Exception {
    var findings = call("GET", "findings?level=error&organization=" + slug, "");
    call("DELETE", "sandboxes/" + sandbox, "");
    assertEquals("{\"data\":[]}", findings);
  }

  @Test
  void readsWithItsToken() throws Exception {
    assertEquals(200, readCourses());
  }

  @Test
  void meetsAnExpiredToken() throws Exception {
    call("POST", "tokens/expire", "{\"organization\":\"" + slug + "\"}");
    assertEquals(401, readCourses());
  }

  @Test
  void meetsAPlatformThatIsDown() throws Exception {
    var match = "{\"surface\":\"api\",\"organization\":\"" + slug + "\"}";
    call("POST", "faults", "{\"match\":" + match + ",\"effect\":\"unavailable\"}");
    assertEquals(503, readCourses());
  }

  /** Sample code of an app. */
  private int readCourses() throws Exception {
    var request = HttpRequest.newBuilder(URI.create(mockademy + "/v0/courses")).header("Authorization", "Bearer " + token);
    return http.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  /** Sends a control call. Returns its JSON, of which a suite with a JSON library would make objects. */
  private static String call(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(mockademy + "/_admin/" + path));
    request.method(method, BodyPublishers.ofString(body)).header("Content-Type", "application/json");
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 300) throw new IllegalStateException(method + " " + path + ": " + response.body());
    return response.body();
  }

  private static String find(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow().group(1);
  }
}
