package dev.mooring.dist.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.dist.image.ContainerImage.ImageInputs;
import dev.mooring.dist.image.ContainerImage.ImageMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the image for another processor. */
class OtherMachineTest {
  private static final Path APP = Path.of("..", "controller-manager", "target", "mooring");
  private static final int AARCH64 = 183;

  @TempDir private Path folder;

  private static String ownRelease(String name) throws Exception {
    return new JavaRuntime().release(name);
  }

  private Path newJdk(String processor, String version, boolean hasJmods) throws Exception {
    Path jdk = Files.createDirectory(folder.resolve("jdk"));
    Files.writeString(
        jdk.resolve("release"),
        "JAVA_VERSION=\"%s\"\nOS_ARCH=\"%s\"\nOS_NAME=\"Linux\"\n".formatted(version, processor));
    if (hasJmods) {
      Files.writeString(
          Files.createDirectory(jdk.resolve("jmods")).resolve("java.base.jmod"), "none");
    }
    return jdk;
  }

  private void assertRejected(Path jdk, Path root, String message) {
    assertThatThrownBy(() -> new ImageMachine.OtherMachine(otherArchitecture(), jdk, root).check())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  /** Returns a processor architecture that is not this machine's. */
  private static String otherArchitecture() throws Exception {
    return new JavaRuntime().architecture().equals("arm64") ? "amd64" : "arm64";
  }

  private static String otherJavaArchitecture() throws Exception {
    return otherArchitecture().equals("arm64") ? "aarch64" : "x86_64";
  }

  @Test
  void check_notAJdk_isRejected() {
    assertRejected(folder, folder, " is not a JDK: it has no file 'release'");
  }

  @Test
  void check_jdkForThisProcessor_isRejected() throws Exception {
    Path jdk = newJdk(ownRelease("OS_ARCH"), ownRelease("JAVA_VERSION"), true);
    assertRejected(
        jdk,
        folder,
        " is a JDK for Linux/%s, not for Linux/%s"
            .formatted(new JavaRuntime().architecture(), otherArchitecture()));
  }

  @Test
  void check_jdkOfOtherVersion_isRejected() throws Exception {
    Path jdk = newJdk(otherJavaArchitecture(), "25.0.0.7", true);
    assertRejected(
        jdk,
        folder,
        " is a JDK 25.0.0.7, but this build runs on %s: the versions must be equal"
            .formatted(ownRelease("JAVA_VERSION")));
  }

  @Test
  void check_jdkWithoutJmods_isRejected() throws Exception {
    Path jdk = newJdk(otherJavaArchitecture(), ownRelease("JAVA_VERSION"), false);
    assertRejected(jdk, folder, " has no jmods");
  }

  @Test
  void check_missingRoot_isRejected() throws Exception {
    Path jdk = newJdk(otherJavaArchitecture(), ownRelease("JAVA_VERSION"), true);
    assertRejected(jdk, folder.resolve("none"), "none is not a directory");
  }

  @Test
  void check_thisArchitecture_isRejected() throws Exception {
    Path jdk = newJdk(ownRelease("OS_ARCH"), ownRelease("JAVA_VERSION"), true);
    String architecture = new JavaRuntime().architecture();
    assertThatThrownBy(() -> new ImageMachine.OtherMachine(architecture, jdk, folder).check())
        .isInstanceOf(RefusedException.class)
        .hasMessage("the image for this machine is already for " + architecture);
  }

  private ContainerImage build(String name, ImageMachine.OtherMachine machine) throws Exception {
    return ContainerImage.build(
        new ImageInputs(
            APP,
            new ContainerImage.Release("1.0.0", "abc123"),
            Instant.parse("2026-11-21T00:00:00Z"),
            List.of("-XX:+UseSerialGC"),
            List.of(Path.of("..", "LICENSE")),
            machine),
        folder.resolve(name + "-work"),
        Files.createDirectories(folder.resolve(name)));
  }

  @Test
  void build_otherProcessor_containsOnlyItsBinaries() throws Exception {
    String jdk = System.getProperty("mooring.arm64.jdk", "");
    String system = System.getProperty("mooring.arm64.root", "");
    assumeTrue(
        !jdk.isEmpty() && !system.isEmpty(),
        "skipped: -Dmooring.arm64.jdk=DIR and -Dmooring.arm64.root=DIR enable an image for arm64");
    ImageMachine.OtherMachine machine =
        new ImageMachine.OtherMachine("arm64", Path.of(jdk), Path.of(system));
    machine.check();
    ContainerImage image = build("first", machine);
    OciImage oci = new OciImage(image.tar());
    assertThat(build("second", machine).digest()).isEqualTo(image.digest()).isEqualTo(oci.digest());
    assertThat(oci.config().get("architecture").getAsString()).isEqualTo("arm64");
    assertThat(oci.config().get("os").getAsString()).isEqualTo("linux");
    assertThat(image.tar().getFileName()).hasToString("mooring-1.0.0-arm64.oci.tar");
    Path root = Files.createDirectory(folder.resolve("root"));
    oci.unpack(root);
    Map<Path, ElfFile> programs = findPrograms(root);
    assertThat(programs).containsKey(root.resolve("opt/mooring/runtime/bin/java"));
    Set<String> names = new HashSet<>();
    programs.keySet().forEach(file -> names.add(file.getFileName().toString()));
    assertThat(names).contains("libjvm.so", "libc.so.6");
    programs.forEach((file, elf) -> {
      assertThat(elf.machine()).as(file.toString()).isEqualTo(AARCH64);
      assertThat(names).as(file.toString()).containsAll(elf.needed());
      elf.interpreter()
          .ifPresent(linker -> assertThat(root.resolve(linker.substring(1))).isRegularFile());
    });
    assertThat(image.jdk().files()).containsKey("#jmods/java.base.jmod");
    assertThat(image.system())
        .allSatisfy((path, file) -> assertThat(file).startsWith(machine.root()));
  }

  private static Map<Path, ElfFile> findPrograms(Path root) throws Exception {
    Map<Path, ElfFile> programs = new HashMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Optional<ElfFile> elf = ElfFile.read(file);
        elf.ifPresent(e -> programs.put(file, e));
      }
    }
    return programs;
  }
}
