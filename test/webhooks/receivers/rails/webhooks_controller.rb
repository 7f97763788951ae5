class WebhooksController < ActionController::API
  def create
    raw = request.raw_post
    expected = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("PLATFORM_SIGNING_SECRET"), raw)
    given = request.headers["Platform-Signature"].to_s
    return head :unauthorized unless ActiveSupport::SecurityUtils.secure_compare(given, expected)

    event = JSON.parse(raw)
    Rails.logger.info("#{event["type"]} #{event["id"]}")
    head :ok
  end
end
