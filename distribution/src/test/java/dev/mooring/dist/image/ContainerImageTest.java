package dev.mooring.dist.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.dist.image.ContainerImage.ImageInputs;
import dev.mooring.dist.image.ContainerImage.ImageMachine;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the image, reads it according to its specification, and runs it in an isolated root.
 * {@code -Dmooring.image.twice=true} builds it a second time and compares the bytes.
 */
class ContainerImageTest {
  private static final Path APP = Path.of("..", "controller-manager", "target", "mooring");
  private static final List<String> FLAGS =
      List.of("-XX:+UseSerialGC", "-Xms16m", "-Dguice_bytecode_gen_option=DISABLED");

  private static final String CLASS =
      """
      {"metadata": {"name": "s"}, "provisioner": "kubernetes.io/host-path"}
      """;
  private static final String CLAIM =
      """
      {"metadata": {"name": "c"}, "spec": {"storageClassName": "s", "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Mi"}}}}
      """;

  private static final String RENEW = "build-config/record-start-classes updates the list";

  @TempDir private static Path folder;
  private static ContainerImage image;
  private static OciImage oci;

  @BeforeAll
  static void buildFirst() throws Exception {
    assumeTrue(
        Files.isRegularFile(APP.resolve("mooring-controller-manager.jar"))
            && Files.isDirectory(APP.resolve("plugins")),
        "skipped: controller-manager is not packaged");
    String reason = ContainerImage.reasonNotBuildable();
    assumeTrue(reason.isEmpty(), "skipped: " + reason);
    image = build("first");
    oci = new OciImage(image.tar());
  }

  private static ContainerImage build(String name) throws Exception {
    Path target = Files.createDirectories(folder.resolve(name));
    return ContainerImage.build(
        new ImageInputs(
            APP,
            new ContainerImage.Release("1.0.0", "abc123"),
            Instant.parse("2026-11-21T00:00:00Z"),
            FLAGS,
            List.of(Path.of("..", "LICENSE")),
            new ImageMachine.ThisMachine()),
        folder.resolve(name + "-work"),
        target);
  }

  @Test
  @EnabledIfSystemProperty(named = "mooring.image.twice", matches = "true")
  void image_builtTwice_hasEqualBytes() throws Exception {
    ContainerImage secondImage = build("second image");
    assertThat(findDifferences(secondImage)).as("files that differ between the images").isEmpty();
    assertThat(secondImage.digest()).isEqualTo(image.digest()).isEqualTo(oci.digest());
    assertThat(secondImage.tar()).hasSameBinaryContentAs(image.tar());
  }

  private static List<String> findDifferences(ContainerImage other) throws Exception {
    Path firstRoot = Files.createDirectory(folder.resolve("one"));
    Path secondRoot = Files.createDirectory(folder.resolve("two"));
    oci.unpack(firstRoot);
    new OciImage(other.tar()).unpack(secondRoot);
    Set<String> files = new TreeSet<>(listFiles(firstRoot));
    files.addAll(listFiles(secondRoot));
    List<String> differences = new ArrayList<>();
    for (String name : files) {
      Path a = firstRoot.resolve(name);
      Path b = secondRoot.resolve(name);
      if (!Files.exists(a) || !Files.exists(b)) {
        differences.add(name + " is in only one image");
      } else if (Files.mismatch(a, b) >= 0) {
        differences.add(name + " from byte " + Files.mismatch(a, b) + " of " + Files.size(a));
      }
    }
    return differences;
  }

  private static List<String> listFiles(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .toList();
    }
  }

  @Test
  void image_labels_nameSourceRevisionAndLicence() {
    JsonObject labels = oci.config().getAsJsonObject("config").getAsJsonObject("Labels");
    assertThat(labels.keySet())
        .containsExactlyInAnyOrder(
            "org.opencontainers.image.title",
            "org.opencontainers.image.description",
            "org.opencontainers.image.licenses",
            "org.opencontainers.image.url",
            "org.opencontainers.image.source",
            "org.opencontainers.image.version",
            "org.opencontainers.image.revision");
    assertThat(labels.get("org.opencontainers.image.licenses").getAsString())
        .isEqualTo("Apache-2.0");
    assertThat(labels.get("org.opencontainers.image.version").getAsString()).isEqualTo("1.0.0");
    assertThat(labels.get("org.opencontainers.image.revision").getAsString()).isEqualTo("abc123");
    assertThat(labels.get("org.opencontainers.image.source").getAsString())
        .isEqualTo(ContainerImage.HOME_PAGE);
  }

  @Test
  void image_files_belongToRootWithoutShell() throws Exception {
    for (TarArchiveEntry entry : oci.entries()) {
      assertThat(entry.getLongUserId() + ":" + entry.getLongGroupId())
          .as(entry.getName())
          .isEqualTo("0:0");
      assertThat(entry.isFile() || entry.isDirectory()).as(entry.getName()).isTrue();
      if (!entry.getName().replaceAll("^/|/$", "").equals("tmp")) {
        assertThat(entry.getMode() & 07022).as(entry.getName()).isZero();
      }
    }
    assertThat(oci.entries())
        .extracting(entry -> Path.of(entry.getName()).getFileName().toString())
        .doesNotContain("sh", "bash", "dash", "busybox", "env", "keytool")
        .contains("java", "libjvm.so", "libc.so.6", "mooring-controller-manager.jar");
    JsonObject config = oci.config().getAsJsonObject("config");
    assertThat(config.get("User").getAsString()).isEqualTo("65532:65532");
    assertThat(config.get("Entrypoint").toString())
        .isEqualTo("[\"/opt/mooring/runtime/bin/java\",\"@/opt/mooring/arguments\"]");
    assertThat(image.jdk().modules()).contains("java.base").doesNotContain("java.desktop");
  }

  @Test
  void image_isolatedRoot_runsAndBindsClaim() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0
            || new ProcessBuilder("unshare", "-r", "-m", "true").start().waitFor() == 0,
        "skipped: cannot create a user namespace here (unshare)");
    Path root = Files.createDirectory(folder.resolve("root"));
    oci.unpack(root);
    Path files = Files.createDirectory(folder.resolve("files"));
    ApiServer.ServerOptions config = new ApiServer.ServerOptions(0, "everything", null).withTls();
    try (ApiServer server = ApiServer.start(config)) {
      Files.writeString(files.resolve("kubeconfig"), server.kubeconfig());
      Files.writeString(files.resolve("flags.yaml"), "enable-hostpath-provisioner: true\n");
      try (ImageContainer mooring =
          ImageContainer.start(
              root,
              files,
              List.of(
                  RootFilesystem.JAVA,
                  "-Xlog:class+load:stdout:none",
                  "@" + RootFilesystem.ARGUMENTS,
                  "run",
                  "--mode=replace",
                  "--config=/tmp/flags.yaml",
                  "--kubeconfig=/tmp/kubeconfig",
                  "--endpoints=off"))) {
        String startLine = mooring.awaitLine(line -> line.contains("ms after the process started"));
        System.out.println("image: running " + startLine.replaceFirst(".*\\(", "("));
        assertThat(percentArchived(mooring.output()))
            .as("percentage of archived classes at start; %s", RENEW)
            .isGreaterThan(90);
        for (String jar :
            List.of("plugins-hostpath.jar", "plugins-local-path", "plugins-nfs.jar")) {
          mooring.awaitLine(line -> line.contains("plugin ") && line.contains(jar));
        }
        assertThat(mooring.output()).noneMatch(line -> line.contains(" ERROR "));
        create(server, KindCatalogue.CLASSES, CLASS);
        create(server, KindCatalogue.CLAIMS, CLAIM);
        TestWait.until(
            () -> "the claim is not Bound; output: " + mooring.output(),
            () ->
                server.handlers().store(KindCatalogue.CLAIMS).list("").objects().stream()
                    .anyMatch(c -> JsonBodies.textAt(c.tree(), "status", "phase").equals("Bound")));
      }
    }
  }

  /** Returns the percentage of loaded classes that came from the archive. */
  private static long percentArchived(List<String> lines) {
    long archived = lines.stream().filter(line -> line.contains("source: shared")).count();
    long loadedElsewhere =
        lines.stream()
            .filter(line -> line.contains("source: jrt:") || line.contains("/opt/mooring/app/"))
            .filter(line -> !line.contains("/plugins/"))
            .count();
    System.out.printf(
        "image: %d classes loaded from the archive, %d from elsewhere%n",
        archived, loadedElsewhere);
    return 100 * archived / (archived + loadedElsewhere);
  }

  private static void create(ApiServer server, ResourceType type, String json) throws Exception {
    JsonObject object = JsonParser.parseString(json).getAsJsonObject();
    server.handlers().create(type, "default", object, WriteOptions.PLAIN);
  }
}
