package dev.mooring.kube.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.time.SystemTime;
import java.io.IOException;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeConfigTest {
  private static final URI SERVER = URI.create("https://api.example.com:6443/");

  @TempDir private Path folder;

  private ClusterLogin read(String text) throws IOException, KubeConfigException {
    Path file = Files.writeString(folder.resolve("config"), text);
    return ClusterLogin.ofFiles(List.of(file), "", new SystemTime());
  }

  private ClusterLogin readUser(String fields) throws IOException, KubeConfigException {
    return read(
        """
        clusters: [{name: c, cluster: {server: "https://api.example.com:6443"}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(fields));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "clusters:\\n\\t- name: a   | is not valid YAML (line 2: found character '\\t(TAB)'",
        "users: [a               | is not valid YAML (line 1: expected ',' or ']'",
        "users: !!int a          | is not valid YAML (",
      })
  void read_invalidYaml_namesLine(String text, String problem) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining(folder.resolve("config").toString())
        .hasMessageContaining(problem)
        .hasMessageContaining("fix the file or name another with --kubeconfig");
  }

  @Test
  void read_contextWithoutCluster_isNamed() {
    assertThatThrownBy(() -> read("contexts: [{name: x, context: {}}]\ncurrent-context: x\n"))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("context \"x\" names no cluster: set one with 'kubectl config");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token: \"s3cret\\n\"                   | token has a line break at position 7",
        "token: \"s3cret\\u00e9\"               | token has a character at position 7",
        "token: t, as: \"j\\u00f6rg\"           | as has a character at position 2",
        "token: t, as: j, as-groups: [\"\\n\"]  | as-groups has a line break at position 1",
      })
  void read_textThatNoHeaderAllows_isNamed(String user, String problem) {
    assertThatThrownBy(() -> readUser(user))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("user \"u\": " + problem)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void read_variableWithEqualsSign_isNamed() {
    assertThatThrownBy(() ->
            readUser(
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Never, env: [{name: \"A=B\", value: c}]}"))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("env entry with the name \"A=B\"");
  }

  @Test
  void tokenFile_withTwoLines_isNamed() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "s3cret\nother\n");
    ClusterLogin login = readUser("tokenFile: " + token);
    assertThatThrownBy(() -> login.credentials().current(Duration.ofSeconds(1)))
        .isInstanceOf(CredentialsException.class)
        .hasMessage(
            token
                + " cannot be used (it has a line break at position 7, which HTTP headers do not allow)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://u:s3cret@proxy:443", "ftp://proxy", "http://:s3cret@", "http://"})
  void environment_unusableProxy_isNamed(String url) {
    assertThatThrownBy(() -> ProxySettings.ofEnvironment(Map.of("HTTPS_PROXY", url), SERVER))
        .isInstanceOf(KubeConfigException.class)
        .hasMessageContaining("HTTPS_PROXY has to be http://HOST:PORT")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void environment_unusableProxyOfExcludedHost_isIgnored() throws Exception {
    ClusterLogin.ProxyRoute route =
        ProxySettings.ofEnvironment(
            Map.of("HTTPS_PROXY", "https://proxy:443", "NO_PROXY", "example.com"), SERVER);
    assertThat(route.isUsedFor(SERVER)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "https://[fd00::1]:6443/, fd00::1, true",
    "https://[fd00::1]:6443/, FD00:0::1, true",
    "https://[fd00::1]:6443/, [fd00::1]:6443, true",
    "https://[fd00::1]:6443/, [fd00::1]:443, false",
    "https://[fd00::1]:6443/, fd00::2, false",
    "https://[fd00::1]:6443/, [, false",
    "https://10.96.0.1/, 10.96.0.1, true",
    "https://10.96.0.1/, 10.96.0.1:443, true",
    "https://10.96.0.1/, 10.96.0.1:6443, false",
    "https://a.foo.com:6443/, foo.com:6443, true",
    "https://a.foo.com:6443/, foo.com:443, false",
    "https://a.foo.com:6443/, *.foo.com:6443, true",
    "https://foo.com:6443/, .foo.com, false",
    "https://foo.com:6443/, :6443, false",
  })
  void environment_noProxyEntry_excludesHostAndPort(URI server, String entry, boolean isExcluded)
      throws Exception {
    ClusterLogin.ProxyRoute route =
        ProxySettings.ofEnvironment(
            Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", entry), server);
    assertThat(route.isUsedFor(server)).isNotEqualTo(isExcluded);
  }

  @Test
  void environment_usableProxy_isUsed() throws Exception {
    ClusterLogin.ProxyRoute route =
        ProxySettings.ofEnvironment(Map.of("https_proxy", "proxy:3128"), SERVER);
    assertThat(Objects.requireNonNull(route.selector()).select(SERVER))
        .extracting(Proxy::type)
        .containsExactly(Proxy.Type.HTTP);
  }
}
