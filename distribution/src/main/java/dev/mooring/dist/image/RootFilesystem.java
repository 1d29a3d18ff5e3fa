package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Root file system of an image, as a directory of this machine. All files have the same time,
 * because the class archive stores the times of jars.
 */
final class RootFilesystem {
  /** Directory of all files that do not belong to the system. */
  static final String HOME = "/opt/mooring";

  static final String JAVA = HOME + "/runtime/bin/java";

  static final String ARGUMENTS = HOME + "/arguments";

  static final int USER = 65532;

  static final String JAR = HOME + "/app/mooring-controller-manager.jar";

  private static final String PASSWD =
      "root:x:0:0:root:/:/sbin/nologin\nmooring:x:%1$d:%1$d:mooring:/tmp:/sbin/nologin\n";
  private static final String GROUP = "root:x:0:\nmooring:x:%1$d:\n";

  private final Path root;
  private final Instant time;

  RootFilesystem(Path root, Instant time) {
    this.root = root;
    this.time = time;
  }

  Path resolve(String path) {
    return root.resolve(path.substring(1));
  }

  void add(String path, Path file) throws IOException {
    Files.createDirectories(resolve(path).getParent());
    Files.copy(file, resolve(path), StandardCopyOption.COPY_ATTRIBUTES);
  }

  void addAll(Map<String, Path> files) throws IOException {
    for (Map.Entry<String, Path> file : files.entrySet()) {
      add(file.getKey(), file.getValue());
    }
  }

  private void write(String path, String text) throws IOException {
    Files.createDirectories(resolve(path).getParent());
    Files.writeString(resolve(path), text);
  }

  void configure(List<String> flags) throws IOException {
    write("/etc/passwd", PASSWD.formatted(USER));
    write("/etc/group", GROUP.formatted(USER));
    StringBuilder arguments = new StringBuilder();
    flags.forEach(flag -> arguments.append(flag).append('\n'));
    write(ARGUMENTS, arguments.append("-jar\n").append(JAR).append('\n').toString());
    Files.createDirectories(resolve("/tmp"));
  }

  void setTimes() throws IOException {
    for (Path file : files()) {
      Files.setLastModifiedTime(file, FileTime.from(time));
    }
  }

  List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  String imagePath(Path file) {
    return "/" + root.relativize(file);
  }

  Instant time() {
    return time;
  }
}
