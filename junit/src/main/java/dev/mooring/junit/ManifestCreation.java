package dev.mooring.junit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

// by requests, so that the server checks and completes objects as it does for clients
final class ManifestCreation {
  private final ApiServer server;
  private final String adminToken;
  // cluster-scoped objects of all classes: a second class may declare an equal one
  private final Map<String, ManifestDocument> clusterObjects = new HashMap<>();

  ManifestCreation(ApiServer server, String adminToken) {
    this.server = server;
    this.adminToken = adminToken;
  }

  static void requireDistinct(List<ManifestDocument> documents) {
    Map<String, ManifestDocument> byName = new HashMap<>();
    for (ManifestDocument document : documents) {
      ManifestDocument other =
          document.name().isEmpty() ? null : byName.put(document.describe(), document);
      if (other != null) {
        throw document.makeError(document.describe() + " is already in " + other.place());
      }
    }
  }

  synchronized void create(ManifestDocument document, String namespace) {
    ResourceType type = findType(document);
    String objectNamespace = document.namespace().isEmpty() ? namespace : document.namespace();
    if (!type.namespaced() && !document.name().isEmpty()) {
      ManifestDocument other = clusterObjects.putIfAbsent(document.describe(), document);
      if (other != null && other.tree().equals(document.tree())) {
        return;
      }
      if (other != null) {
        throw document.makeError(
            document.describe()
                + " differs from "
                + other.place()
                + " of another class on this server; use lifecycle = PER_CLASS");
      }
    }
    String scope = type.namespaced() ? "/namespaces/" + objectNamespace : "";
    String group = type.group().isEmpty() ? "/api/" : "/apis/";
    String path = group + type.apiVersion() + scope + "/" + type.plural();
    String refusal = post(path + "?fieldValidation=Strict", document.tree());
    if (!refusal.isEmpty()) {
      clusterObjects.remove(document.describe(), document);
      throw document.makeError(refusal);
    }
  }

  private ResourceType findType(ManifestDocument document) {
    return Stream.concat(
            KindCatalogue.ALL.stream(), server.handlers().getCustomResources().getTypes().stream())
        .filter(type ->
            type.kind().equals(document.kind()) && type.apiVersion().equals(document.apiVersion()))
        .findFirst()
        .orElseThrow(() ->
            document.makeError(
                "the server has no kind "
                    + document.kind()
                    + " in "
                    + document.apiVersion()
                    + "; for a custom resource add its definition to crds"));
  }

  // the message of the refusal; "" for success
  private String post(String path, JsonObject tree) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(server.url() + path).toURL().openConnection();
      if (connection instanceof HttpsURLConnection secured) {
        secured.setSSLSocketFactory(server.authority().client().getSocketFactory());
      }
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Authorization", "Bearer " + adminToken);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(tree.toString().getBytes(StandardCharsets.UTF_8));
      }
      if (connection.getResponseCode() < 400) {
        return "";
      }
      try (InputStream answer = connection.getErrorStream()) {
        return readMessage(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new ExtensionConfigurationException("the API server does not answer: " + e, e);
    }
  }

  private static String readMessage(String answer) {
    try {
      JsonElement status = JsonParser.parseString(answer);
      return status instanceof JsonObject object ? JsonBodies.textAt(object, "message") : answer;
    } catch (JsonSyntaxException plainText) {
      return answer;
    }
  }
}
