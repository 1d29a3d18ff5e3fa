package dev.mooring.manager.plugin;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

record PluginJar(String name, List<Path> jars, List<String> state) {
  static SortedMap<String, PluginJar> scan(Path directory) throws IOException {
    SortedMap<String, PluginJar> byName = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        // temporary files of Kubernetes' volumes and of editors; a directory of ext4
        if (name.startsWith(".") || name.equals("lost+found")) {
          continue;
        }
        if (Files.isDirectory(entry)) {
          byName.put(name, ofFolder(name, entry));
        } else if (name.endsWith(".jar")) {
          byName.put(name, of(name, List.of(entry)));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return byName;
  }

  // An unreadable folder must not affect other plugins; loading it reports the problem.
  private static PluginJar ofFolder(String name, Path folder) {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.jar")) {
      entries.forEach(jars::add);
    } catch (IOException | DirectoryIteratorException e) {
      return new PluginJar(name, List.of(), List.of(e.toString()));
    }
    jars.sort(null);
    return of(name, jars);
  }

  private static PluginJar of(String name, List<Path> jars) {
    return new PluginJar(name, jars, jars.stream().map(PluginJar::state).toList());
  }

  // An unreadable jar must not affect other plugins; loading it reports the problem.
  private static String state(Path jar) {
    try {
      BasicFileAttributes file = Files.readAttributes(jar, BasicFileAttributes.class);
      return jar.getFileName()
          + " "
          + file.size()
          + " "
          + file.lastModifiedTime()
          + " "
          + file.fileKey();
    } catch (IOException e) {
      return jar.getFileName() + " " + e;
    }
  }
}
