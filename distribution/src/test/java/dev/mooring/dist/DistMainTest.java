package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal sources must give equal artefacts, independent of place, time and order. */
class DistMainTest {
  private static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");
  private static final String BOM =
      """
      {"bomFormat": "CycloneDX", "serialNumber": "urn:uuid:%s",
       "metadata": {"timestamp": "%s", "component": {"bom-ref": "pkg:%s", "name": "%s", "version": "1.0.0"}},
       "components": [{"bom-ref": "pkg:gson", "name": "gson", "version": "2.15.0"}],
       "dependencies": [{"ref": "pkg:%s", "dependsOn": ["pkg:gson"]}]}
      """;

  @TempDir private Path folder;
  private final TimeZone defaultTimeZone = TimeZone.getDefault();

  @AfterEach
  void restoreTimeZone() {
    TimeZone.setDefault(defaultTimeZone);
  }

  /** Creates a checkout with build results: the jars in the given order, with the given time. */
  private Path checkout(String name, List<String> jars, Instant modified) throws IOException {
    Path checkout = Files.createDirectory(folder.resolve(name));
    List<Path> files = new ArrayList<>();
    for (String file : List.of("mooring", "LICENSE", "README.md", "CHANGELOG.md")) {
      files.add(Files.writeString(checkout.resolve(file), file));
    }
    Path docs = Files.createDirectories(checkout.resolve("docs/dev/adr"));
    files.add(Files.writeString(docs.resolve("1.md"), "why"));
    files.add(Files.writeString(checkout.resolve("docs/README.md"), "# Documentation"));
    Path lib = Files.createDirectories(checkout.resolve("controller-manager/target/mooring/lib"));
    for (String jar : jars) {
      files.add(Files.writeString(lib.resolve(jar), jar));
    }
    files.add(Files.writeString(lib.resolveSibling("mooring.aot"), name));
    files.add(Files.writeString(lib.resolveSibling("mooring.aot.config"), name));
    for (String module :
        List.of(
            "controller-manager",
            "plugins-csi-bridge",
            "plugins-hostpath",
            "plugins-local-path",
            "plugins-nfs")) {
      Path target = Files.createDirectories(checkout.resolve(module).resolve("target"));
      Files.writeString(
          target.resolve("bom.json"), BOM.formatted(name, modified, module, module, module));
    }
    for (Path file : files) {
      Files.setLastModifiedTime(file, FileTime.from(modified));
    }
    return checkout;
  }

  private List<Path> writeArtefacts(Path checkout) throws Exception {
    Path into = Files.createDirectory(checkout.resolve("out"));
    return new DistMain(checkout, "1.0.0", TIME).write(into, DistOptions.ARCHIVES);
  }

  @Test
  void write_twoCheckouts_haveEqualBytes() throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    List<Path> first =
        writeArtefacts(checkout("a", List.of("gson-2.15.0.jar", "plugins-nfs.jar"), Instant.EPOCH));
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
    List<Path> second =
        writeArtefacts(checkout("b", List.of("plugins-nfs.jar", "gson-2.15.0.jar"), Instant.now()));
    assertThat(first).hasSize(6).hasSameSizeAs(second);
    for (int i = 0; i < first.size(); i++) {
      assertThat(first.get(i)).hasSameBinaryContentAs(second.get(i));
    }
    assertThat(first.getLast())
        .content()
        .contains("  mooring-1.0.0.tar.gz\n", "  mooring-1.0.0.zip\n", "  mooring-1.0.0.cdx.json\n")
        .contains(MergedSbom.sha256(first.getFirst()));
  }

  @Test
  void write_launcherAndCache_packsExecutableLauncherOnly() throws Exception {
    List<Path> artefacts = writeArtefacts(checkout("a", List.of("gson-2.15.0.jar"), Instant.now()));
    List<String> modes = new ArrayList<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new GZIPInputStream(Files.newInputStream(artefacts.getFirst())))) {
      for (TarArchiveEntry e = tar.getNextEntry(); e != null; e = tar.getNextEntry()) {
        modes.add(Integer.toOctalString(e.getMode()) + " " + e.getName());
      }
    }
    assertThat(modes)
        .contains("755 mooring-1.0.0/mooring", "644 mooring-1.0.0/app/lib/gson-2.15.0.jar")
        .contains("644 mooring-1.0.0/docs/dev/adr/1.md")
        .noneMatch(name -> name.contains(".aot"));
    try (FileSystem zip =
        FileSystems.newFileSystem(artefacts.get(1), Map.of("enablePosixFileAttributes", true))) {
      assertThat(Files.getPosixFilePermissions(zip.getPath("mooring-1.0.0", "mooring")))
          .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void write_unlistedJar_throwsWithItsName() throws Exception {
    Path checkout = checkout("a", List.of("gson-2.15.0.jar", "unknown-1.jar"), Instant.now());
    assertThatThrownBy(() -> writeArtefacts(checkout))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("unknown-1.jar");
  }

  @Test
  void main_unlistedJar_failsWithRemedy() throws Exception {
    Path checkout = checkout("a", List.of("gson-2.15.0.jar", "unknown-1.jar"), Instant.now());
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path output = folder.resolve("output");
    Process dist =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                DistMain.class.getName(),
                checkout.toString(),
                "1.0.0",
                TIME.toString(),
                "--no-image",
                "--")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(dist.waitFor()).isEqualTo(1);
    } finally {
      dist.destroyForcibly();
    }
    assertThat(Files.readAllLines(output))
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("mooring: ")
        .contains("unknown-1.jar", "./mooring dist");
    try (Stream<Path> artefacts = Files.list(checkout.resolve("distribution/target/dist"))) {
      assertThat(artefacts).isEmpty();
    }
  }
}
