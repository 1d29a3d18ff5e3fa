package dev.mooring.apiserver.kinds.admission;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.cel.CelRule;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.rules.ValidatedObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Configurations of webhooks. An http URL is valid for a webhook on this host, unlike in
 * Kubernetes.
 */
public final class WebhookStrategy extends DeclaredStrategy {
  public static final List<String> VARIABLES = List.of("object", "oldObject", "request");

  private static final Set<String> LOOPBACK_HOSTS = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final int MAX_TIMEOUT_SECONDS = 30;

  public WebhookStrategy(String kindName, String messageName) {
    super(kindName, messageName);
  }

  @Override
  public void validate(JsonObject object, FieldErrors errors) {
    super.validate(object, errors);
    Set<String> names = new HashSet<>();
    for (ValidatedObject webhook :
        new ValidatedObject(object, "", errors).getChildren("webhooks")) {
      if (!webhook.isEmpty("name")) {
        webhook.requireSubdomain("name");
        webhook.requireUnique(names, "name");
        if (webhook.text("name").split("\\.").length < 3) {
          webhook.addInvalid(
              "name", "should be a domain with at least three segments separated by dots");
        }
      }
      long timeout = webhook.number("timeoutSeconds");
      if (timeout < 1 || timeout > MAX_TIMEOUT_SECONDS) {
        webhook.addInvalid("timeoutSeconds", "the timeout value must be between 1 and 30 seconds");
      }
      List<String> versions = webhook.strings("admissionReviewVersions");
      if (!versions.isEmpty() && !versions.contains("v1") && !versions.contains("v1beta1")) {
        webhook.addInvalid("admissionReviewVersions", "must include at least one of v1, v1beta1");
      }
      validateClient(webhook.getChild("clientConfig"));
      webhook.forEachChild("matchConditions", WebhookStrategy::validateCondition);
    }
  }

  private static void validateClient(ValidatedObject client) {
    boolean hasUrl = client.has("url");
    if (hasUrl == client.has("service")) {
      client.addSelfRequired("exactly one of url or service is required");
    } else if (hasUrl) {
      validateUrl(client);
    }
  }

  private static void validateUrl(ValidatedObject client) {
    String form = "; desired format: https://host[/path]";
    try {
      URI url = new URI(client.text("url"));
      String host = String.valueOf(url.getHost());
      boolean isLocal = "http".equals(url.getScheme()) && LOOPBACK_HOSTS.contains(host);
      if (!"https".equals(url.getScheme()) && !isLocal) {
        client.addInvalid(
            "url",
            String.valueOf(url.getScheme()),
            "'https' is the only allowed URL scheme" + form);
      }
      if (url.getHost() == null) {
        client.addInvalid("url", "host must be specified" + form);
      }
      if (url.getRawQuery() != null) {
        client.addInvalid(
            "url", url.getRawQuery(), "query parameters are not permitted in the URL");
      }
    } catch (URISyntaxException e) {
      client.addRequired("url", "url must be a valid URL: " + e.getMessage() + form);
    }
  }

  private static void validateCondition(ValidatedObject condition) {
    condition.requireMembers("name", "expression");
    if (condition.isEmpty("expression")) {
      return;
    }
    try {
      new CelRule(condition.text("expression"), VARIABLES);
    } catch (CelRule.CelException e) {
      condition.addInvalid("expression", "compilation failed: ERROR: " + e.getMessage());
    }
  }
}
