package dev.mooring.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs Maven as an external user would: the repository contains the modules of the BOM and the
 * archetype, but no other module of this build.
 */
public final class ExternalMaven {
  private static final String VERSION = "0.1.0-SNAPSHOT";

  private final Path folder;
  private final Path root = Path.of(System.getProperty("mooring.root", "..")).toAbsolutePath();
  private final Path bin;

  public ExternalMaven(Path folder) throws IOException {
    this.folder = folder;
    this.bin = Files.createDirectories(folder.resolve("maven"));
    Path repository = bin.resolve("repository");
    install(repository, "mooring-parent", root);
    install(repository, "mooring-core-api", root.resolve("core-api"));
    install(repository, "mooring-testkit", root.resolve("testkit"));
    install(repository, "mooring-plugin-archetype", root.resolve("plugin-archetype"));
    install(repository, "mooring-apiserver-embedded", root.resolve("apiserver-embedded"));
    install(repository, "mooring-junit", root.resolve("junit"));
    install(repository, "mooring-bom", root.resolve("bom"));
    // third-party artifacts come from the repository of this build if it has them
    String shared =
        System.getProperty(
            "localRepository",
            Path.of(System.getProperty("user.home"), ".m2", "repository").toString());
    Path mvn =
        Files.writeString(
            bin.resolve("mvn"),
            "#!/bin/sh\nexec \"%s\" -ntp -Dmaven.repo.local=\"%s\" -Dmaven.repo.local.tail=\"%s\" \"$@\"\n"
                .formatted(root.resolve("mvnw"), repository, shared));
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwx------"));
  }

  private static void install(Path repository, String artifact, Path module) throws IOException {
    Path folder = repository.resolve(Path.of("dev", "mooring", artifact, VERSION));
    Files.createDirectories(folder);
    Path reduced = module.resolve("dependency-reduced-pom.xml"); // of a jar with libraries inside
    Files.copy(
        Files.exists(reduced) ? reduced : module.resolve("pom.xml"),
        folder.resolve(artifact + "-" + VERSION + ".pom"));
    Path target = module.resolve("target");
    try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty()) {
      for (Path jar : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        Files.copy(jar, folder.resolve(jar.getFileName()));
      }
    }
  }

  /** Runs shell commands in the folder; {@code mvn} is this Maven. */
  public void run(String lines) throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-e", "-c", lines)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = shell.environment();
    environment.put("PATH", bin + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put(
        "MAVEN_OPTS",
        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"); // the run is too short for the C2 compiler
    environment.remove("MAVEN_ARGS");
    Process process = shell.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(lines + ": " + output).isZero();
  }
}
