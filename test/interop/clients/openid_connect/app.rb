require 'json'
require 'openid_connect'
require 'webrick'

issuer = ENV.fetch('PLATFORM_APP_URL')
port = ENV.fetch('PORT', '3000')

SWD.url_builder = URI::HTTP # for the emulator only
config = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
client_id = ENV.fetch('PLATFORM_CLIENT_ID')
settings = {
  identifier: client_id,
  secret: ENV.fetch('PLATFORM_CLIENT_SECRET'),
  redirect_uri: "http://localhost:#{port}/callback",
  authorization_endpoint: config.authorization_endpoint,
  token_endpoint: config.token_endpoint
}

server = WEBrick::HTTPServer.new(BindAddress: 'localhost', Port: port.to_i)

server.mount_proc '/login' do |_, response|
  state, nonce, verifier = Array.new(3) { SecureRandom.urlsafe_base64(48) }
  response.cookies << "checks=#{state}.#{nonce}.#{verifier}; HttpOnly; SameSite=Lax"
  challenge = Base64.urlsafe_encode64(OpenSSL::Digest::SHA256.digest(verifier), padding: false)
  response.set_redirect(WEBrick::HTTPStatus::Found, OpenIDConnect::Client.new(settings).authorization_uri(
    scope: %w[profile email], state: state, nonce: nonce, code_challenge: challenge, code_challenge_method: 'S256'
  ))
end

server.mount_proc '/callback' do |request, response|
  checks = request.cookies.find { |cookie| cookie.name == 'checks' }&.value.to_s
  state, nonce, verifier = checks.split('.')
  raise 'Wrong state' unless state && request.query['state'] == state

  client = OpenIDConnect::Client.new(settings)
  client.authorization_code = request.query['code']
  tokens = client.access_token!(:basic, code_verifier: verifier)
  id_token = JSON::JWT.decode(tokens.id_token, config.jwks, [:RS256])
  OpenIDConnect::ResponseObject::IdToken.new(id_token).verify!(issuer: issuer, client_id: client_id, nonce: nonce)
  response.body = id_token.to_json
end

trap('TERM') { server.shutdown }
server.start
