package dev.mooring.kube.auth;

import com.google.gson.JsonObject;
import dev.mooring.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

final class LoginReader {
  private static final String TOKEN_CHARACTERS = "!#$&'*+-.^_`|~";

  private LoginReader() {}

  static ClusterLogin of(KubeConfigEntry cluster, KubeConfigEntry user, String namespace, Time time)
      throws KubeConfigException {
    HttpUrl server = server(cluster.toString(), cluster.text("server"));
    return new ClusterLogin(
        server,
        trust(cluster, time),
        ProxySettings.ofKubeConfig(cluster, cluster.text("proxy-url"), System.getenv()),
        new ClusterLogin.ClientIdentity(credentials(cluster, user, time), impersonation(user)),
        namespace);
  }

  static HttpUrl server(String what, String text) throws KubeConfigException {
    HttpUrl url = HttpUrl.parse(text.endsWith("/") ? text : text + "/");
    if (url == null) {
      throw new KubeConfigException(
          what + " has server \"" + text + "\", which is not an http or https address");
    }
    return url;
  }

  private static ClusterLogin.ServerTrust trust(KubeConfigEntry cluster, Time time)
      throws KubeConfigException {
    CredentialSource authority = CredentialSource.of(cluster, "certificate-authority", time);
    boolean insecureSkipVerify = cluster.flag("insecure-skip-tls-verify");
    if (insecureSkipVerify && !authority.isNone()) {
      throw new KubeConfigException(
          cluster
              + " has a certificate-authority and insecure-skip-tls-verify: remove one of the two");
    }
    return new ClusterLogin.ServerTrust(
        authority, insecureSkipVerify, cluster.text("tls-server-name"));
  }

  private static Credentials credentials(KubeConfigEntry cluster, KubeConfigEntry user, Time time)
      throws KubeConfigException {
    if (user.has("auth-provider")) {
      throw new KubeConfigException(
          "%s has the auth-provider \"%s\", which Mooring does not support: use a credential plugin (exec), a tokenFile or a client certificate"
              .formatted(user, user.at("auth-provider").text("name")));
    }
    String name = user.text("username");
    boolean hasToken = !user.text("token").isEmpty() || !user.text("tokenFile").isEmpty();
    if (!name.isEmpty() && hasToken) {
      throw new KubeConfigException(user + " has a token and a username: remove one of the two");
    }
    CredentialSource certificate = CredentialSource.of(user, "client-certificate", time);
    CredentialSource key = CredentialSource.of(user, "client-key", time);
    if (certificate.isNone() != key.isNone()) {
      throw new KubeConfigException(
          user + " has only one of client-certificate and client-key: add the other");
    }
    if (user.has("exec") && !hasToken && name.isEmpty() && certificate.isNone()) {
      return new ExecCredentials(plugin(cluster, user), time);
    }
    return new StaticCredentials(
        name.isEmpty() ? "" : basic(name, user.text("password")),
        user.text("tokenFile").isEmpty()
            ? CredentialSource.of(user.text("token"))
            : CredentialSource.in(Path.of(user.text("tokenFile")), time),
        certificate,
        key);
  }

  static String basic(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  private static ExecPlugin plugin(KubeConfigEntry cluster, KubeConfigEntry user)
      throws KubeConfigException {
    KubeConfigEntry exec = user.at("exec");
    String version = exec.text("apiVersion");
    if (!ExecPlugin.VERSIONS.contains(version)) {
      throw new KubeConfigException(
          exec + " has apiVersion \"" + version + "\": it has to be one of " + ExecPlugin.VERSIONS);
    }
    if (exec.text("command").isEmpty()) {
      throw new KubeConfigException(exec + " has no command: name the program to run");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    for (KubeConfigEntry variable : exec.entries("env")) {
      environment.put(variable.text("name"), variable.text("value"));
    }
    return new ExecPlugin(
        version,
        exec.text("command"),
        exec.texts("args"),
        environment,
        isInteractive(exec, version),
        exec.flag("provideClusterInfo") ? info(cluster) : null,
        exec.text("installHint"));
  }

  private static boolean isInteractive(KubeConfigEntry exec, String version)
      throws KubeConfigException {
    boolean terminal = System.console() != null && System.console().isTerminal();
    String mode = exec.text("interactiveMode");
    if (mode.isEmpty() && version.endsWith("/v1beta1")) {
      mode = "IfAvailable";
    }
    return switch (mode) {
      case "Never" -> false;
      case "IfAvailable" -> terminal;
      case "Always" -> {
        if (!terminal) {
          throw new KubeConfigException(
              exec
                  + " has interactiveMode Always, but there is no terminal: use a mode that does not"
                  + " prompt");
        }
        yield true;
      }
      default ->
          throw new KubeConfigException(
              "%s has interactiveMode \"%s\": it has to be Never, IfAvailable or Always"
                  .formatted(exec, mode));
    };
  }

  private static JsonObject info(KubeConfigEntry cluster) throws KubeConfigException {
    JsonObject info = new JsonObject();
    info.addProperty("server", cluster.text("server"));
    add(info, "tls-server-name", cluster.text("tls-server-name"));
    add(info, "proxy-url", cluster.text("proxy-url"));
    if (cluster.flag("insecure-skip-tls-verify")) {
      info.addProperty("insecure-skip-tls-verify", true);
    }
    add(info, "certificate-authority-data", authority(cluster));
    for (KubeConfigEntry extension : cluster.entries("extensions")) {
      if (extension.text("name").equals("client.authentication.k8s.io/exec")) {
        info.add(
            "config", new com.google.gson.Gson().toJsonTree(extension.members().get("extension")));
      }
    }
    return info;
  }

  private static String authority(KubeConfigEntry cluster) throws KubeConfigException {
    String data = cluster.text("certificate-authority-data");
    String path = cluster.text("certificate-authority");
    if (!data.isEmpty() || path.isEmpty()) {
      return data;
    }
    try {
      return Base64.getEncoder().encodeToString(java.nio.file.Files.readAllBytes(Path.of(path)));
    } catch (java.io.IOException e) {
      throw new KubeConfigException(
          cluster + " has certificate-authority " + path + ", which cannot be read");
    }
  }

  private static void add(JsonObject info, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      info.addProperty(name, value);
    }
  }

  private static Map<String, List<String>> impersonation(KubeConfigEntry user)
      throws KubeConfigException {
    String as = user.text("as");
    String uid = user.text("as-uid");
    List<String> groups = user.texts("as-groups");
    Map<String, List<String>> extra = user.at("as-user-extra").lists();
    if (as.isEmpty() && !(uid.isEmpty() && groups.isEmpty() && extra.isEmpty())) {
      throw new KubeConfigException(
          user + " has as-uid, as-groups or as-user-extra without as: add the impersonated user");
    }
    Map<String, List<String>> headers = new LinkedHashMap<>();
    if (!as.isEmpty()) {
      headers.put("Impersonate-User", List.of(as));
    }
    if (!uid.isEmpty()) {
      headers.put("Impersonate-Uid", List.of(uid));
    }
    if (!groups.isEmpty()) {
      headers.put("Impersonate-Group", groups);
    }
    extra.forEach((key, values) -> headers.put("Impersonate-Extra-" + escaped(key), values));
    return headers;
  }

  // Escapes a key for a header name: percent-encodes bytes that are not allowed there.
  private static String escaped(String key) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : key.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || TOKEN_CHARACTERS.indexOf(c) >= 0;
      escaped.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return escaped.toString();
  }
}
