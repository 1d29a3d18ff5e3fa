package dev.mooring.it.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.it.CommandResult;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Lists, hints and chains of {@code mooring explain}, and the examples of README and docs. */
@Isolated("replaces the standard streams")
class ExplainListTest {
  private static final String CLAIM =
      "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolumeClaim\", \"metadata\": {\"name\": \"%s\", \"namespace\": \"%s\"}, \"spec\": {\"accessModes\": [\"ReadWriteOnce\"], \"storageClassName\": \"%s\", \"resources\": {\"requests\": {\"storage\": \"500Gi\"}}}, \"status\": {\"phase\": \"Pending\"}}";
  private static final String CLASS =
      "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"StorageClass\", \"metadata\": {\"name\": \"%s\"}, \"provisioner\": \"%s\"}";
  private static final String VOLUME =
      "{\"apiVersion\": \"v1\", \"kind\": \"PersistentVolume\", \"metadata\": {\"name\": \"%s\"}, \"spec\": {\"capacity\": {\"storage\": \"%s\"}, \"accessModes\": [\"ReadWriteOnce\"], \"storageClassName\": \"%s\", \"hostPath\": {\"path\": \"/x\"}}, \"status\": {\"phase\": \"Available\"}}";

  @TempDir private Path folder;
  private ApiServer server;
  private RestApi api;
  private Path kubeconfig;

  @BeforeEach
  void startServer() throws Exception {
    server = ApiServer.start(ApiServer.ServerOptions.DEFAULTS);
    api = RestApi.of(server, "");
    kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    create("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"shop\"}}");
  }

  @AfterEach
  void stopServer() throws IOException {
    server.close();
  }

  private void create(String format, Object... values) throws Exception {
    api.create(JsonParser.parseString(format.formatted(values)).getAsJsonObject());
  }

  private CommandResult explain(String... arguments) throws Exception {
    return CommandResult.ofExplain(kubeconfig, Resources.plugins(), arguments);
  }

  @Test
  void list_misspelledClassAndProvisioner_isGroupedWithHints() throws Exception {
    create(CLASS, "fast", "csi.example.com");
    create(CLASS, "slow", "csi.exampel.com");
    create(
        "{\"apiVersion\": \"storage.k8s.io/v1\", \"kind\": \"CSIDriver\", \"metadata\": {\"name\": \"csi.example.com\"}}");
    for (String name : new String[] {"a", "b", "c"}) {
      create(CLAIM, name, "shop", "fsat");
    }
    create(CLAIM, "d", "shop", "slow");
    create(
        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"web-0\", \"namespace\": \"shop\"}, \"spec\": {\"containers\": [{\"name\": \"c\", \"image\": \"i\"}], \"volumes\": [{\"name\": \"v\", \"persistentVolumeClaim\": {\"claimName\": \"d\"}}]}}");
    CommandResult result = explain("-n", "shop");
    assertThat(result.out())
        .startsWith("4 of 5 objects are waiting, for 2 causes:")
        .contains(
            "3 claims: ClassMissing",
            "did you mean class \"fast\"?",
            "pvc/a, pvc/b, pvc/c in namespace shop",
            "pvc/d in namespace shop: Pending for",
            "<-      class/slow: ProvisionerNotSeen",
            "did you mean provisioner \"csi.example.com\"?",
            "Pods    pod/web-0");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(explain("-n", "shop", "--flat").out())
        .contains("pvc/a in namespace shop: Pending", "pvc/b in namespace shop: Pending");
    assertThat(explain("-n", "shop", "-o", "name").out().lines())
        .containsExactlyInAnyOrder(
            "pvc/a -n shop", "pvc/b -n shop", "pvc/c -n shop", "pvc/d -n shop");
    assertThat(explain("-n", "shop", "-o", "wide").out())
        .startsWith("NAMESPACE")
        .contains("class/slow ProvisionerNotSeen");
  }

  @Test
  void json_claimOfClass_hasChain() throws Exception {
    create(CLASS, "slow", "csi.example.com");
    create(CLAIM, "d", "shop", "slow");
    JsonObject item =
        JsonParser.parseString(explain("pvc/d", "-n", "shop", "-o", "json").out())
            .getAsJsonObject()
            .getAsJsonArray("items")
            .get(0)
            .getAsJsonObject();
    assertThat(item.getAsJsonObject("reason").get("code").getAsString())
        .isEqualTo("ExternalProvisioner");
    JsonObject causes =
        item.getAsJsonObject("evidence").getAsJsonArray("because").get(0).getAsJsonObject();
    assertThat(causes.getAsJsonObject("subject").get("name").getAsString()).isEqualTo("slow");
    assertThat(causes.getAsJsonObject("reason").get("code").getAsString())
        .isEqualTo("ProvisionerNotSeen");
  }

  @Test
  void unloadedPlugin_ofUnknownProvisioner_isShownWithCause() throws Exception {
    create(CLASS, "who", "kubernetes.io/who");
    create(CLAIM, "d", "shop", "who");
    Path plugins = Files.createDirectory(folder.resolve("plugins"));
    Files.writeString(plugins.resolve("who.jar"), "no jar");
    assertThat(CommandResult.ofExplain(kubeconfig, plugins, "pvc/d", "-n", "shop").out())
        .contains("ProvisionerUnknown", "mooring plugins", "Error   not loaded: plugin who.jar: ");
  }

  @Test
  void misspelledObject_orNamespace_isSuggested() throws Exception {
    create(CLAIM, "data", "shop", "");
    assertThat(explain("pvc/dtaa", "-n", "shop").errors()).contains("did you mean \"data\"?");
    assertThat(explain("pvc/data", "-n", "default").errors())
        .contains("did you mean data in namespace shop?");
    assertThat(explain("-n", "shpo").errors()).contains("did you mean \"shop\"?");
  }

  @Test
  void misspelledVolume_ofClaim_isSuggested() throws Exception {
    create(VOLUME, "disk-1", "2Gi", "");
    create(
        CLAIM.replace("\"storageClassName\"", "\"volumeName\": \"disk-l\", \"storageClassName\""),
        "data",
        "shop",
        "");
    assertThat(explain("pvc/data", "-n", "shop").out()).contains("did you mean pv \"disk-1\"?");
  }

  @Test
  void examples_ofReadmeAndDocs_areRealOutput() throws Exception {
    create(VOLUME, "disk-2gi", "2Gi", "");
    create(VOLUME, "disk-1ti", "1Ti", "archive");
    create(CLAIM, "data", "shop", "");
    String real = explain("pvc/data", "-n", "shop").out().strip();
    for (String page : new String[] {"README.md", "docs/explain.md"}) {
      Matcher example =
          Pattern.compile("(?s)\n(pvc/data in namespace shop: .*?)\n```")
              .matcher(Files.readString(Path.of("..").resolve(page)));
      assertThat(example.find()).as(page).isTrue();
      assertThat(hideAge(example.group(1))).as(page).isEqualTo(hideAge(real));
    }
  }

  private static String hideAge(String text) {
    return text.replaceAll("for \\d+[smhd]", "for AGE");
  }
}
