package dev.mooring.apiserver.webhook;

final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  WebhookException(String message) {
    super(message);
  }
}
