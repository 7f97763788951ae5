require "json"
require "net/http"

# A client of the control API, of the emulator at MOCKADEMY_URL, such as a container's; else of one of this run's own.
module Mockademy
  # Starts an emulator, which ends with this process. @return its address
  def self.start
    process = IO.popen(%w[npx mockademy start --port 0 --store memory --quiet])
    RSpec.configure { |config| config.after(:suite) { Process.kill("TERM", process.pid) } }
    process.each_line { |line| return line[/ready at (\S+)/, 1] if line.include?("ready at") }
    raise "mockademy has not started"
  end

  URL = ENV["MOCKADEMY_URL"] || start
  # The app of `mockademy exec`; else that of the default world.
  APP = ENV.fetch("PLATFORM_CLIENT_ID", "notes")

  # Sends a control call. @return its JSON
  def self.call(method, path, body = nil)
    response = Net::HTTP.start(URI(URL).host, URI(URL).port) do |http|
      http.send_request(method, "/_admin/#{path}", body && JSON.generate(body), "content-type" => "application/json")
    end
    raise "#{method} #{path}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
    JSON.parse(response.body)
  end
end

# Each example has an organization of its own, and fails for what its app did there that it should not.
RSpec.shared_context "with a sandbox" do
  let(:slug) { sandbox["organization"]["slug"] }
  let!(:sandbox) { Mockademy.call("POST", "sandboxes", { app: Mockademy::APP }) }

  after do
    findings = Mockademy.call("GET", "findings?organization=#{slug}&level=error")["data"]
    Mockademy.call("DELETE", "sandboxes/#{sandbox["id"]}")
    expect(findings).to be_empty
  end
end

RSpec.describe "Courses" do
  include_context "with a sandbox"

  # Sample code of an app.
  def read_courses
    headers = { "authorization" => "Bearer #{sandbox["credentials"]["access_token"]}" }
    Net::HTTP.get_response(URI("#{Mockademy::URL}/v0/courses"), headers).code
  end

  it "reads with its token" do
    expect(read_courses).to eq "200"
  end

  it "meets an expired token" do
    Mockademy.call("POST", "tokens/expire", { organization: slug })
    expect(read_courses).to eq "401"
  end

  it "meets a platform that is down" do
    Mockademy.call("POST", "faults", { match: { surface: "api", organization: slug }, effect: "unavailable" })
    expect(read_courses).to eq "503"
  end
end
