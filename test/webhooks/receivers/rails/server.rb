# Serves the controller that docs/webhooks.md shows, in the smallest Rails application.
require "action_controller/railtie"
require "rack/handler/webrick"

class Receiver < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.logger = Logger.new(nil)
  config.secret_key_base = "unused"
end

require_relative "webhooks_controller"

Receiver.initialize!
Rails.application.routes.draw { post "/webhook", to: "webhooks#create" }
Rack::Handler::WEBrick.run(
  Receiver,
  Host: "127.0.0.1", Port: Integer(ENV.fetch("PORT")), AccessLog: [], Logger: WEBrick::Log.new(nil, 0)
)
