package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An image that was made.
 *
 * @param tar the image, an OCI layout in a tar
 * @param digest its digest, as registries have it
 * @param architecture the processor that it is for
 * @param jdk what its runtime was linked of
 * @param libc the C library
 * @param system the files in it that are the system's, by where they are there
 */
public record ContainerImage(
    Path tar, String digest, String architecture, Jdk jdk, Libc libc, Map<String, Path> system) {
  private static final long MOST_BYTES = 80_000_000;

  /**
   * A JDK of which a runtime was linked.
   *
   * @param vendor who built it
   * @param version the whole version, of the build too
   * @param files the files with its modules, by what is to be added to its name
   * @param modules the modules of the runtime
   */
  public record Jdk(String vendor, String version, Map<String, Path> files, Set<String> modules) {}

  /**
   * A C library.
   *
   * @param version the version
   * @param build who built it, and what they call that
   */
  public record Libc(String version, String build) {}

  /**
   * What an image is made of.
   *
   * @param app the program, as a build leaves it: the jar, {@code lib} and {@code plugins}
   * @param version what the image's tag is
   * @param time when everything was made, as far as anybody can tell
   * @param flags what the JVM is started with
   * @param notices files that say what may be done with it
   * @param machine what its runtime and the C library are taken from
   */
  public record Ingredients(
      Path app,
      String version,
      Instant time,
      List<String> flags,
      List<Path> notices,
      Machine machine) {}

  /** What an image runs on. */
  public sealed interface Machine {
    /** A machine like this one: this process's JDK, and this system's C library. */
    record This() implements Machine {}

    /**
     * A Linux of another processor.
     *
     * @param architecture that processor, by the name that images have for it
     * @param jdk a JDK for it, with its jmods
     * @param root a folder with the root of such a system, or with its packages unpacked over each
     *     other
     */
    record Other(String architecture, Path jdk, Path root) implements Machine {
      /**
       * Does nothing if an image can be made of it.
       *
       * @throws RefusedException if none can, because of the JDK or the root
       */
      public void check() throws IOException {
        JavaRuntime.other(jdk, architecture);
        if (!Files.isDirectory(root)) {
          throw new RefusedException(root + " is no folder");
        }
      }
    }
  }

  /**
   * Why no image can be made here, {@code ""} if one can.
   *
   * @throws IOException if this process's own runtime cannot be read
   */
  public static String notHere() throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "it is made of this system's libraries, and this is not Linux";
    }
    return new JavaRuntime().notLinkable();
  }

  /**
   * Makes an image.
   *
   * @param work a folder that nothing else uses; what was there is deleted
   * @param into the folder for the image
   * @throws IOException if something is not there, or the image became larger than it may be
   */
  public static ContainerImage make(Ingredients of, Path work, Path into)
      throws IOException, InterruptedException {
    Folders.delete(work);
    Files.createDirectories(work);
    JavaRuntime jdk = jdk(of.machine);
    RootFilesystem files = new RootFilesystem(work.resolve("root"), of.time);
    Map<String, Path> program = program(of);
    files.addAll(program);
    Set<String> modules = modules(jdk, program);
    Map<String, Path> linked = jdk.link(modules, files.at(RootFilesystem.HOME + "/runtime"));
    SharedLibraries.Found system = SharedLibraries.of(files.files(), root(of.machine));
    files.addAll(system.files());
    configure(files, of);
    Path tar = into.resolve("mooring-" + of.version + "-" + jdk.architecture() + ".oci.tar");
    String digest =
        ImageTar.write(
            files,
            new ImageTar.Name("mooring:" + of.version, jdk.architecture()),
            labels(of),
            tar,
            work.resolve("jib"));
    if (Files.size(tar) > MOST_BYTES) {
      throw new IOException(tar + " has " + Files.size(tar) + " bytes, more than " + MOST_BYTES);
    }
    return new ContainerImage(
        tar,
        digest,
        jdk.architecture(),
        new Jdk(jdk.release("IMPLEMENTOR"), jdk.release("JAVA_RUNTIME_VERSION"), linked, modules),
        new Libc(system.libc(), system.build()),
        system.files());
  }

  /** A runtime that cannot be started here archives no classes. */
  private static void configure(RootFilesystem files, Ingredients of)
      throws IOException, InterruptedException {
    boolean startable = of.machine instanceof Machine.This;
    List<String> flags = new ArrayList<>(of.flags);
    if (startable) {
      flags.addAll(ClassArchive.FLAGS);
    }
    files.configure(flags);
    files.settle();
    if (startable) {
      new ClassArchive(files).make(of.flags);
      files.settle();
    }
  }

  private static JavaRuntime jdk(Machine machine) throws IOException {
    return switch (machine) {
      case Machine.This() -> new JavaRuntime();
      case Machine.Other other -> JavaRuntime.other(other.jdk, other.architecture);
    };
  }

  private static Path root(Machine machine) {
    return switch (machine) {
      case Machine.This() -> Path.of("/");
      case Machine.Other other -> other.root;
    };
  }

  private static Set<String> modules(JavaRuntime jdk, Map<String, Path> program)
      throws IOException {
    List<Path> programs = new ArrayList<>();
    List<Path> libraries = new ArrayList<>();
    program.forEach((path, file) -> {
      if (path.endsWith(".jar")) {
        (path.startsWith(RootFilesystem.HOME + "/app/lib/") ? libraries : programs).add(file);
      }
    });
    return jdk.modules(programs, libraries);
  }

  private static Map<String, Path> program(Ingredients of) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(of.app)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!LauncherCache.has(file)) {
          files.put(RootFilesystem.HOME + "/app/" + of.app.relativize(file), file);
        }
      }
    }
    for (Path notice : of.notices) {
      files.put(RootFilesystem.HOME + "/" + notice.getFileName(), notice);
    }
    return files;
  }

  private static Map<String, String> labels(Ingredients of) {
    return Map.of(
        "org.opencontainers.image.title", "Mooring",
        "org.opencontainers.image.description", "Kubernetes' volume controllers on the JVM",
        "org.opencontainers.image.licenses", "Apache-2.0",
        "org.opencontainers.image.version", of.version);
  }
}
