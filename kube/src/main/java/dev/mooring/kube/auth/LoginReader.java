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

  static ClusterLogin read(
      KubeConfigEntry cluster, KubeConfigEntry user, String namespace, Time time)
      throws KubeConfigException {
    HttpUrl server = parseServer(cluster.toString(), cluster.getText("server"));
    return new ClusterLogin(
        server,
        readTrust(cluster, time),
        ProxySettings.ofKubeConfig(cluster, server, System.getenv()),
        new ClusterLogin.ClientIdentity(
            readCredentials(cluster, user, time), readImpersonation(user)),
        namespace);
  }

  static HttpUrl parseServer(String source, String text) throws KubeConfigException {
    HttpUrl url = HttpUrl.parse(text.endsWith("/") ? text : text + "/");
    if (url == null) {
      throw new KubeConfigException(
          source + " has server \"" + text + "\", which is not an http or https address");
    }
    return url;
  }

  private static ClusterLogin.ServerTrust readTrust(KubeConfigEntry cluster, Time time)
      throws KubeConfigException {
    CredentialSource authority = CredentialSource.ofEntry(cluster, "certificate-authority", time);
    boolean insecureSkipVerify = cluster.getFlag("insecure-skip-tls-verify");
    if (insecureSkipVerify && !authority.isNone()) {
      throw new KubeConfigException(
          cluster
              + " has a certificate-authority and insecure-skip-tls-verify: remove one of the two");
    }
    return new ClusterLogin.ServerTrust(
        authority, insecureSkipVerify, cluster.getText("tls-server-name"));
  }

  private static Credentials readCredentials(
      KubeConfigEntry cluster, KubeConfigEntry user, Time time) throws KubeConfigException {
    if (user.has("auth-provider")) {
      throw new KubeConfigException(
          "%s has the auth-provider \"%s\", which Mooring does not support: use a credential plugin (exec), a tokenFile or a client certificate"
              .formatted(user, user.getEntry("auth-provider").getText("name")));
    }
    String name = user.getText("username");
    boolean hasToken = !user.getText("token").isEmpty() || !user.getText("tokenFile").isEmpty();
    if (!name.isEmpty() && hasToken) {
      throw new KubeConfigException(user + " has a token and a username: remove one of the two");
    }
    CredentialSource certificate = CredentialSource.ofEntry(user, "client-certificate", time);
    CredentialSource key = CredentialSource.ofEntry(user, "client-key", time);
    if (certificate.isNone() != key.isNone()) {
      throw new KubeConfigException(
          user + " has only one of client-certificate and client-key: add the other");
    }
    if (user.has("exec") && !hasToken && name.isEmpty() && certificate.isNone()) {
      return new ExecCredentials(readPlugin(cluster, user), time);
    }
    return new StaticCredentials(
        name.isEmpty() ? "" : makeBasicAuthorization(name, user.getText("password")),
        readToken(user, time),
        certificate,
        key);
  }

  private static CredentialSource readToken(KubeConfigEntry user, Time time)
      throws KubeConfigException {
    String file = user.getText("tokenFile");
    if (!file.isEmpty()) {
      return CredentialSource.ofTokenFile(Path.of(file), time);
    }
    String token = user.getText("token");
    requireHeader(user, "token", token);
    return CredentialSource.ofText(token);
  }

  private static void requireHeader(KubeConfigEntry user, String field, String value)
      throws KubeConfigException {
    String flaw = HeaderText.findFlaw(value);
    if (!flaw.isEmpty()) {
      throw new KubeConfigException("%s: %s %s: correct it".formatted(user, field, flaw));
    }
  }

  static String makeBasicAuthorization(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  private static ExecPlugin readPlugin(KubeConfigEntry cluster, KubeConfigEntry user)
      throws KubeConfigException {
    KubeConfigEntry exec = user.getEntry("exec");
    String version = exec.getText("apiVersion");
    if (!ExecPlugin.VERSIONS.contains(version)) {
      throw new KubeConfigException(
          exec + " has apiVersion \"" + version + "\": it has to be one of " + ExecPlugin.VERSIONS);
    }
    if (exec.getText("command").isEmpty()) {
      throw new KubeConfigException(exec + " has no command: name the program to run");
    }
    Map<String, String> environment = new LinkedHashMap<>();
    for (KubeConfigEntry variable : exec.getEntries("env")) {
      String name = variable.getText("name");
      if (name.isEmpty() || name.indexOf('=') >= 0) {
        throw new KubeConfigException(
            exec + " has an env entry with the name \"" + name + "\": write it without \"=\"");
      }
      environment.put(name, variable.getText("value"));
    }
    return new ExecPlugin(
        version,
        exec.getText("command"),
        exec.getTexts("args"),
        environment,
        isInteractive(exec, version),
        exec.getFlag("provideClusterInfo") ? makeClusterInfo(cluster) : null,
        exec.getText("installHint"));
  }

  private static boolean isInteractive(KubeConfigEntry exec, String version)
      throws KubeConfigException {
    boolean hasTerminal = System.console() != null && System.console().isTerminal();
    String mode = exec.getText("interactiveMode");
    if (mode.isEmpty() && version.endsWith("/v1beta1")) {
      mode = "IfAvailable";
    }
    return switch (mode) {
      case "Never" -> false;
      case "IfAvailable" -> hasTerminal;
      case "Always" -> {
        if (!hasTerminal) {
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

  private static JsonObject makeClusterInfo(KubeConfigEntry cluster) throws KubeConfigException {
    JsonObject info = new JsonObject();
    info.addProperty("server", cluster.getText("server"));
    addIfPresent(info, "tls-server-name", cluster.getText("tls-server-name"));
    addIfPresent(info, "proxy-url", cluster.getText("proxy-url"));
    if (cluster.getFlag("insecure-skip-tls-verify")) {
      info.addProperty("insecure-skip-tls-verify", true);
    }
    addIfPresent(info, "certificate-authority-data", readAuthority(cluster));
    for (KubeConfigEntry extension : cluster.getEntries("extensions")) {
      if (extension.getText("name").equals("client.authentication.k8s.io/exec")) {
        info.add(
            "config", new com.google.gson.Gson().toJsonTree(extension.members().get("extension")));
      }
    }
    return info;
  }

  private static String readAuthority(KubeConfigEntry cluster) throws KubeConfigException {
    String data = cluster.getText("certificate-authority-data");
    String path = cluster.getText("certificate-authority");
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

  private static void addIfPresent(JsonObject info, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      info.addProperty(name, value);
    }
  }

  private static Map<String, List<String>> readImpersonation(KubeConfigEntry user)
      throws KubeConfigException {
    String userName = user.getText("as");
    String uid = user.getText("as-uid");
    List<String> groups = user.getTexts("as-groups");
    Map<String, List<String>> extra = user.getEntry("as-user-extra").toLists();
    requireHeader(user, "as", userName);
    requireHeader(user, "as-uid", uid);
    for (String group : groups) {
      requireHeader(user, "as-groups", group);
    }
    for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
      for (String value : entry.getValue()) {
        requireHeader(user, "as-user-extra " + entry.getKey(), value);
      }
    }
    if (userName.isEmpty() && !(uid.isEmpty() && groups.isEmpty() && extra.isEmpty())) {
      throw new KubeConfigException(
          user + " has as-uid, as-groups or as-user-extra without as: add the impersonated user");
    }
    Map<String, List<String>> headers = new LinkedHashMap<>();
    if (!userName.isEmpty()) {
      headers.put("Impersonate-User", List.of(userName));
    }
    if (!uid.isEmpty()) {
      headers.put("Impersonate-Uid", List.of(uid));
    }
    if (!groups.isEmpty()) {
      headers.put("Impersonate-Group", groups);
    }
    extra.forEach((key, values) -> headers.put("Impersonate-Extra-" + escapeKey(key), values));
    return headers;
  }

  // Escapes a key for a header name: percent-encodes bytes that are not allowed there.
  private static String escapeKey(String key) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : key.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean isPlain =
          c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || TOKEN_CHARACTERS.indexOf(c) >= 0;
      escaped.append(isPlain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return escaped.toString();
  }
}
