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
 * An archive of the classes that a start loads, as the JVM has them in memory (CDS): half the time
 * of a start without it. The same runtime, jars and flags give the same bytes.
 */
final class ClassArchive {
  static final String FILE = RootFilesystem.HOME + "/app/mooring.jsa";

  /** With what the JVM is told to use it, and not to complain where it cannot. */
  static final List<String> FLAGS =
      List.of("-XX:SharedArchiveFile=" + FILE, "-Xlog:cds=off", "-Xlog:aot=off");

  /**
   * What of the machine would be seen in the archive: when threads come to compile, how many there
   * are, how large the heap may be, which says how references are written, and how long it took: a
   * collection clears what is only softly referenced once it was not used for a while, by default a
   * second for each free MiB, and strings that then go are missing in the archive.
   */
  private static final List<String> SAME_EVERYWHERE =
      List.of(
          "-Xint",
          "-XX:ActiveProcessorCount=1",
          "-Xmx160m",
          "-XX:SoftRefLRUPolicyMSPerMB=1000000000",
          "-Xshare:dump");

  /** Which of the JDK and of libraries, {@code build-config/record-start-classes} says. */
  private static final String LIBRARIES = "start-classes.txt";

  private static final String OURS = "dev/mooring/";

  /** The embedded API server: nobody needs it who has a cluster. */
  private static final String NOT_OURS = OURS + "apiserver/";

  private static final String CLASS = ".class";

  private final RootFilesystem files;

  ClassArchive(RootFilesystem files) {
    this.files = files;
  }

  /**
   * Makes it.
   *
   * @param flags what the JVM is started with in the image: an archive fits no other heap
   * @throws IOException if the JVM makes none, with what it said
   */
  void make(List<String> flags) throws IOException, InterruptedException {
    // a runtime whose path has blanks would leave traces of them
    Path work = Files.createTempDirectory("mooring-classes");
    try {
      Folders.copy(files.at(RootFilesystem.HOME), work.resolve("home"));
      OpenJars.number(work.resolve("home"));
      files.add(FILE, dump(flags, work));
    } finally {
      Folders.delete(work);
    }
  }

  private Path dump(List<String> flags, Path work) throws IOException, InterruptedException {
    Path made = work.resolve("made.jsa");
    Path said = work.resolve("said");
    Path list = Files.write(work.resolve("classes"), classes());
    Path home = work.resolve("home");
    List<String> command = new ArrayList<>();
    command.add(home.resolve(inHome(RootFilesystem.JAVA)).toString());
    command.addAll(flags);
    command.addAll(SAME_EVERYWHERE);
    command.add("-XX:SharedClassListFile=" + list);
    command.add("-XX:SharedArchiveFile=" + made);
    command.addAll(List.of("-cp", inHome(RootFilesystem.JAR))); // is kept as it is given here
    ProcessBuilder dump =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    // languages and time zones leave traces
    dump.environment().clear();
    dump.environment().putAll(Map.of("LC_ALL", "C", "TZ", "UTC"));
    int code = dump.start().waitFor();
    if (code != 0 || !Files.exists(made)) {
      throw new IOException(
          "no archive of classes was made (%d): %s".formatted(code, Files.readString(said)));
    }
    return made;
  }

  private static String inHome(String path) {
    return path.substring(RootFilesystem.HOME.length() + 1);
  }

  private Set<String> classes() throws IOException {
    Set<String> all = new TreeSet<>(libraries());
    for (Path file : files.files()) {
      String path = files.path(file);
      if (path.endsWith(".jar") && !path.contains("/plugins/")) {
        all.addAll(ours(file));
      }
    }
    return all;
  }

  private static List<String> ours(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(OURS) && !name.startsWith(NOT_OURS))
          .filter(name -> name.endsWith(CLASS) && !name.endsWith("-info" + CLASS))
          .map(name -> name.substring(0, name.length() - CLASS.length()))
          .toList();
    }
  }

  private static List<String> libraries() {
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
