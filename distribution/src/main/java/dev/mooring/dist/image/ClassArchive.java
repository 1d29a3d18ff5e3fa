package dev.mooring.dist.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A CDS archive of the classes that a start loads; it halves the start-up time. Equal runtimes,
 * jars and flags give equal bytes.
 */
final class ClassArchive {
  static final String FILE = RootFilesystem.HOME + "/app/mooring.jsa";

  /** JVM flags that enable the archive and silence warnings where it cannot be used. */
  static final List<String> FLAGS =
      List.of("-XX:SharedArchiveFile=" + FILE, "-Xlog:cds=off", "-Xlog:aot=off");

  /**
   * JVM flags that keep properties of this machine out of the archive: the number of threads, when
   * methods are compiled, and the maximum heap size, which determines how references are encoded.
   * The last flag removes the effect of time. By default a collection clears soft references that
   * were unused for one second per free MiB, and the archive lacks cleared strings.
   */
  private static final List<String> REPRODUCIBILITY_FLAGS =
      List.of(
          "-Xint",
          "-XX:ActiveProcessorCount=1",
          "-Xmx160m",
          "-XX:SoftRefLRUPolicyMSPerMB=1000000000",
          "-Xshare:dump");

  // Classes of the JDK and of libraries; written by build-config/record-start-classes.
  private static final String LIBRARIES = "start-classes.txt";

  private static final String OWN_PREFIX = "dev/mooring/";

  // The embedded API server is not needed in a cluster.
  private static final String SERVER_PREFIX = OWN_PREFIX + "apiserver/";

  private static final String CLASS = ".class";

  private final RootFilesystem files;

  ClassArchive(RootFilesystem files) {
    this.files = files;
  }

  /**
   * Creates the archive.
   *
   * @param flags JVM flags of the image: an archive is valid only for the same heap settings
   * @throws IOException with the output of the JVM if it fails
   */
  void create(List<String> flags) throws IOException, InterruptedException {
    // a path with spaces would make the archive depend on it
    Path work = Files.createTempDirectory("mooring-classes");
    try {
      DirectoryOperations.copy(files.resolve(RootFilesystem.HOME), work.resolve("home"));
      OpenJars.setTimes(work.resolve("home"));
      files.add(FILE, dump(flags, work));
    } finally {
      DirectoryOperations.delete(work);
    }
  }

  private Path dump(List<String> flags, Path work) throws IOException, InterruptedException {
    Path archive = work.resolve("made.jsa");
    Path log = work.resolve("log");
    Path list = Files.write(work.resolve("classes"), listClasses());
    Path home = work.resolve("home");
    List<String> command = new ArrayList<>();
    command.add(home.resolve(relativeToHome(RootFilesystem.JAVA)).toString());
    command.addAll(flags);
    command.addAll(REPRODUCIBILITY_FLAGS);
    command.add("-XX:SharedClassListFile=" + list);
    command.add("-XX:SharedArchiveFile=" + archive);
    command.addAll(
        List.of(
            "-cp",
            relativeToHome(RootFilesystem.JAR))); // the archive stores this class path unchanged
    ProcessBuilder dump =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // locale and time zone would change the archive
    dump.environment().clear();
    dump.environment().putAll(Map.of("LC_ALL", "C", "TZ", "UTC"));
    int code = dump.start().waitFor();
    if (code != 0 || !Files.exists(archive)) {
      throw new IOException(
          "creating the class archive failed (exit code %d): %s"
              .formatted(code, Files.readString(log)));
    }
    return archive;
  }

  private static String relativeToHome(String path) {
    return path.substring(RootFilesystem.HOME.length() + 1);
  }

  private Set<String> listClasses() throws IOException {
    Set<String> classNames = new TreeSet<>(readLibraryClasses());
    for (Path file : files.files()) {
      String path = files.imagePath(file);
      if (path.endsWith(".jar") && !path.contains("/plugins/")) {
        classNames.addAll(listOwnClasses(file));
      }
    }
    return classNames;
  }

  private static List<String> listOwnClasses(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(OWN_PREFIX) && !name.startsWith(SERVER_PREFIX))
          .filter(name -> name.endsWith(CLASS) && !name.endsWith("-info" + CLASS))
          .map(name -> name.substring(0, name.length() - CLASS.length()))
          .toList();
    }
  }

  private static List<String> readLibraryClasses() {
    try (InputStream in = ClassArchive.class.getResourceAsStream(LIBRARIES)) {
      if (in == null) {
        throw new IllegalStateException(LIBRARIES + " is missing beside " + ClassArchive.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
