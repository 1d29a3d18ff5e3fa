package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Sends reviews to webhooks. For a webhook with a service, the server connects to 127.0.0.1, at the
 * targetPort of the service's port. Thread-safe.
 */
final class WebhookCaller implements AutoCloseable {
  private record ClientKey(String caBundle, String serverName) {}

  // the URL to connect to, the URL in messages, and the name in the certificate
  private record Endpoint(String address, String shownUrl, String serverName) {}

  private final Function<ResourceType, Store> stores;
  private final Map<ClientKey, HttpClient> clients = new ConcurrentHashMap<>();

  WebhookCaller(Function<ResourceType, Store> stores) {
    this.stores = stores;
  }

  JsonObject call(JsonObject webhook, JsonObject review)
      throws WebhookException, InterruptedException {
    JsonObject config = webhook.getAsJsonObject("clientConfig");
    long seconds = webhook.get("timeoutSeconds").getAsLong();
    Endpoint endpoint = findEndpoint(config);
    String query = "?timeout=" + seconds + "s";
    String prefix = "failed to call webhook: Post \"" + endpoint.shownUrl + query + "\": ";
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(endpoint.address + query))
              .header("Content-Type", "application/json")
              .header("Accept", "application/json, */*")
              .timeout(Duration.ofSeconds(seconds))
              .POST(HttpRequest.BodyPublishers.ofString(review.toString()))
              .build();
      HttpResponse<String> answer =
          findClient(textAt(config, "caBundle"), endpoint)
              .send(request, HttpResponse.BodyHandlers.ofString());
      return readAnswer(answer);
    } catch (HttpTimeoutException e) {
      throw new WebhookException(prefix + "context deadline exceeded");
    } catch (ConnectException e) {
      String address = URI.create(endpoint.address).getAuthority();
      throw new WebhookException(prefix + "dial tcp " + address + ": connect: connection refused");
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new WebhookException(prefix + e.getMessage());
    }
  }

  private HttpClient findClient(String caBundle, Endpoint endpoint)
      throws GeneralSecurityException, IOException {
    ClientKey key = new ClientKey(caBundle, endpoint.serverName);
    HttpClient cached = clients.get(key);
    if (cached != null) {
      return cached;
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    if (endpoint.address.startsWith("https:")) {
      builder.sslContext(WebhookTrust.makeContext(caBundle, endpoint.serverName));
    }
    return clients.computeIfAbsent(key, k -> builder.build());
  }

  private static JsonObject readAnswer(HttpResponse<String> answer) throws WebhookException {
    int code = answer.statusCode();
    if (code != 200) {
      throw new WebhookException(
          "failed to call webhook: "
              + switch (code) {
                case 404 -> "the server could not find the requested resource";
                case 500 ->
                    "an error on the server (\"%s\") has prevented the request from succeeding"
                        .formatted(answer.body().strip());
                default ->
                    "the server responded with the status code %d but did not return more information"
                        .formatted(code);
              });
    }
    try {
      if (JsonParser.parseString(answer.body()) instanceof JsonObject review) {
        return review;
      }
    } catch (JsonParseException e) {
      throw new WebhookException("failed to call webhook: invalid JSON: " + e.getMessage());
    }
    throw new WebhookException("failed to call webhook: the answer is no object");
  }

  private Endpoint findEndpoint(JsonObject config) throws WebhookException {
    String url = textAt(config, "url");
    if (!url.isEmpty()) {
      return new Endpoint(url, url, String.valueOf(URI.create(url).getHost()));
    }
    String namespace = textAt(config, "service", "namespace");
    String name = textAt(config, "service", "name");
    JsonElement servicePort = valueAt(config, "service", "port");
    int port = servicePort == null ? 443 : servicePort.getAsInt();
    String path = textAt(config, "service", "path");
    String serverName = name + "." + namespace + ".svc";
    StoredObject service = stores.apply(KindCatalogue.SERVICES).get(namespace + "/" + name);
    if (service == null) {
      throw new WebhookException(
          "failed to call webhook: Post \"https://%s:%d%s\": service \"%s\" not found"
              .formatted(serverName, port, path, name));
    }
    return new Endpoint(
        "https://" + findAddress(service.tree(), name, port) + path,
        "https://" + serverName + ":" + port + path,
        serverName);
  }

  private static String findAddress(JsonObject service, String name, int port)
      throws WebhookException {
    if (textAt(service, "spec", "type").equals("ExternalName")) {
      return textAt(service, "spec", "externalName") + ":" + port;
    }
    if (valueAt(service, "spec", "ports") instanceof JsonArray ports) {
      for (JsonElement element : ports) {
        JsonObject servicePort = element.getAsJsonObject();
        String targetPort = textAt(servicePort, "targetPort");
        if (servicePort.get("port").getAsInt() == port) {
          if (!targetPort.matches("\\d+")) {
            throw new WebhookException(
                "failed to call webhook: the targetPort of service \"%s\" must be the number of a port of this host, not \"%s\""
                    .formatted(name, targetPort));
          }
          return "127.0.0.1:" + targetPort;
        }
      }
    }
    throw new WebhookException(
        "failed to call webhook: no service port %d found for service \"%s\""
            .formatted(port, name));
  }

  @Override
  public void close() {
    clients.values().forEach(HttpClient::shutdownNow);
    clients.clear();
  }
}
