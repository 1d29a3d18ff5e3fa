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
 * A container image.
 *
 * @param tar OCI layout in a tar
 * @param digest digest of the manifest
 * @param architecture OCI name of the processor
 * @param jdk JDK that the runtime is linked from
 * @param libc C library in the image
 * @param system files of the system by their path in the image
 */
public record ContainerImage(
    Path tar, String digest, String architecture, Jdk jdk, Libc libc, Map<String, Path> system) {
  public static final String HOME_PAGE = "https://example.com/mooring";

  private static final long MAX_BYTES = 80_000_000;

  /**
   * A JDK that a runtime is linked from.
   *
   * @param version version including the build number
   * @param files files that contain its modules, by suffix for its package URL
   * @param modules modules of the runtime
   */
  public record Jdk(String vendor, String version, Map<String, Path> files, Set<String> modules) {}

  /**
   * A C library.
   *
   * @param build vendor and package version, from the banner
   */
  public record Libc(String version, String build) {}

  /**
   * What an image contains.
   *
   * @param version version of the program, and tag of the image
   * @param revision commit of the sources; empty if unknown
   */
  public record Release(String version, String revision) {}

  /**
   * Inputs of an image.
   *
   * @param app directory of the program as built: the jar, {@code lib} and {@code plugins}
   * @param release version and revision, for name and labels
   * @param time modification time of all files
   * @param flags JVM flags
   * @param notices license files
   * @param machine source of the Java runtime and of the C library
   */
  public record ImageInputs(
      Path app,
      Release release,
      Instant time,
      List<String> flags,
      List<Path> notices,
      ImageMachine machine) {}

  /** Kind of machine that an image runs on. */
  public sealed interface ImageMachine {
    /** A machine like this one: uses the running JDK and the C library of this system. */
    record ThisMachine() implements ImageMachine {}

    /**
     * A Linux machine with another processor.
     *
     * @param architecture OCI name of the processor
     * @param jdk JDK for it, with jmods
     * @param root directory with the root file system, or with the packages of such a system
     *     unpacked over each other
     */
    record OtherMachine(String architecture, Path jdk, Path root) implements ImageMachine {
      /**
       * Checks that an image can be built for this machine.
       *
       * @throws RefusedException if the JDK or the root is unusable
       */
      public void check() throws IOException {
        JavaRuntime.openForOtherProcessor(jdk, architecture);
        if (!Files.isDirectory(root)) {
          throw new RefusedException(root + " is not a directory");
        }
      }
    }
  }

  /**
   * Returns why this machine cannot build an image, or {@code ""} if it can.
   *
   * @throws IOException if the running Java runtime cannot be read
   */
  public static String reasonNotBuildable() throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "an image contains libraries of this system, which is not Linux";
    }
    return new JavaRuntime().reasonNotLinkable();
  }

  /**
   * Builds an image.
   *
   * @param work scratch directory; its content is deleted
   * @param target directory for the image
   * @throws IOException if an input is missing, or the image is larger than the limit
   */
  public static ContainerImage build(ImageInputs inputs, Path work, Path target)
      throws IOException, InterruptedException {
    DirectoryOperations.delete(work);
    Files.createDirectories(work);
    JavaRuntime jdk = jdk(inputs.machine);
    RootFilesystem files = new RootFilesystem(work.resolve("root"), inputs.time);
    Map<String, Path> program = program(inputs);
    files.addAll(program);
    Set<String> modules = modules(jdk, program);
    Map<String, Path> moduleFiles =
        jdk.link(modules, files.resolve(RootFilesystem.HOME + "/runtime"));
    SharedLibraries.FoundLibraries systemLibraries =
        SharedLibraries.of(files.files(), root(inputs.machine));
    files.addAll(systemLibraries.files());
    configure(files, inputs);
    Path tar =
        target.resolve("mooring-" + inputs.release.version + "-" + jdk.architecture() + ".oci.tar");
    String digest =
        ImageTar.write(
            files,
            new ImageTar.ImageName("mooring:" + inputs.release.version, jdk.architecture()),
            labels(inputs),
            tar,
            work.resolve("jib"));
    if (Files.size(tar) > MAX_BYTES) {
      throw new IOException(tar + " has " + Files.size(tar) + " bytes, more than " + MAX_BYTES);
    }
    return new ContainerImage(
        tar,
        digest,
        jdk.architecture(),
        new Jdk(
            jdk.release("IMPLEMENTOR"), jdk.release("JAVA_RUNTIME_VERSION"), moduleFiles, modules),
        new Libc(systemLibraries.libc(), systemLibraries.build()),
        systemLibraries.files());
  }

  // Writes the configuration, and the class archive if this machine can run the runtime.
  private static void configure(RootFilesystem files, ImageInputs inputs)
      throws IOException, InterruptedException {
    boolean canStart = inputs.machine instanceof ImageMachine.ThisMachine;
    List<String> flags = new ArrayList<>(inputs.flags);
    if (canStart) {
      flags.addAll(ClassArchive.FLAGS);
    }
    files.configure(flags);
    files.setTimes();
    if (canStart) {
      new ClassArchive(files).create(inputs.flags);
      files.setTimes();
    }
  }

  private static JavaRuntime jdk(ImageMachine machine) throws IOException {
    return switch (machine) {
      case ImageMachine.ThisMachine() -> new JavaRuntime();
      case ImageMachine.OtherMachine other ->
          JavaRuntime.openForOtherProcessor(other.jdk, other.architecture);
    };
  }

  private static Path root(ImageMachine machine) {
    return switch (machine) {
      case ImageMachine.ThisMachine() -> Path.of("/");
      case ImageMachine.OtherMachine other -> other.root;
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

  private static Map<String, Path> program(ImageInputs inputs) throws IOException {
    Map<String, Path> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(inputs.app)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        if (!LauncherCache.contains(file)) {
          files.put(RootFilesystem.HOME + "/app/" + inputs.app.relativize(file), file);
        }
      }
    }
    for (Path notice : inputs.notices) {
      files.put(RootFilesystem.HOME + "/" + notice.getFileName(), notice);
    }
    return files;
  }

  private static Map<String, String> labels(ImageInputs inputs) {
    Map<String, String> labels = new TreeMap<>();
    labels.put("org.opencontainers.image.title", "Mooring");
    labels.put("org.opencontainers.image.description", "Kubernetes' volume controllers on the JVM");
    labels.put("org.opencontainers.image.licenses", "Apache-2.0");
    labels.put("org.opencontainers.image.url", HOME_PAGE);
    labels.put("org.opencontainers.image.source", HOME_PAGE);
    labels.put("org.opencontainers.image.version", inputs.release.version);
    if (!inputs.release.revision.isEmpty()) {
      labels.put("org.opencontainers.image.revision", inputs.release.revision);
    }
    return labels;
  }
}
