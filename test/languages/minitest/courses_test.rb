require "json"
require "minitest/autorun"
require "net/http"

# A client of the control API.
class Mockademy
  attr_reader :url

  # Starts an emulator of this run's own, which ends with it. @return its address
  def self.start
    process = IO.popen(%w[npx mockademy start --port 0 --store memory --quiet])
    Minitest.after_run { Process.kill("TERM", process.pid) }
    process.each_line { |line| return line[/ready at (\S+)/, 1] if line.include?("ready at") }
    raise "mockademy has not started"
  end

  def initialize(url)
    @url = url
  end

  # Sends a control call. @return its JSON
  def call(method, path, body = nil)
    response = Net::HTTP.start(URI(url).host, URI(url).port) do |http|
      http.send_request(method, "/_admin/#{path}", body && JSON.generate(body), "content-type" => "application/json")
    end
    raise "#{method} #{path}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
    JSON.parse(response.body)
  end
end

# The app of `mockademy exec`; else that of the default world.
APP = ENV.fetch("PLATFORM_CLIENT_ID", "notes")
# The emulator at MOCKADEMY_URL, such as a container's; else one of this run's own.
MOCKADEMY = Mockademy.new(ENV["MOCKADEMY_URL"] || Mockademy.start)

# Each test has an organization of its own, and fails for what its app did there that it should not.
class CoursesTest < Minitest::Test
  parallelize_me!

  def setup
    @sandbox = MOCKADEMY.call("POST", "sandboxes", { app: APP })
    @slug = @sandbox["organization"]["slug"]
  end

  def teardown
    findings = MOCKADEMY.call("GET", "findings?organization=#{@slug}&level=error")["data"]
    MOCKADEMY.call("DELETE", "sandboxes/#{@sandbox["id"]}")
    assert_empty findings
  end

  # Sample code of an app.
  def read_courses
    headers = { "authorization" => "Bearer #{@sandbox["credentials"]["access_token"]}" }
    Net::HTTP.get_response(URI("#{MOCKADEMY.url}/v0/courses"), headers).code
  end

  def test_reads_with_its_token
    assert_equal "200", read_courses
  end

  def test_meets_an_expired_token
    MOCKADEMY.call("POST", "tokens/expire", { organization: @slug })
    assert_equal "401", read_courses
  end

  def test_meets_a_platform_that_is_down
    MOCKADEMY.call("POST", "faults", { match: { surface: "api", organization: @slug }, effect: "unavailable" })
    assert_equal "503", read_courses
  end
end
