package dev.mooring.dist.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the shared libraries of the system that programs need, transitively and in the search order
 * of the dynamic linker.
 */
final class SharedLibraries {
  private static final String LIBC = "libc.so.6";

  /**
   * Since this version glibc contains its name services and loads no further libraries at run time.
   */
  private static final String NAMES_BUILT_IN = "GLIBC_2.34";

  private static final Pattern BANNER =
      Pattern.compile("GNU C Library \\(([^)]*)\\) [a-z]+ release version ([0-9.]*[0-9])");

  /**
   * Result of the search.
   *
   * @param files files on this machine by their path in the image
   * @param libc version of the C library
   * @param build vendor and package version, from the banner
   */
  record FoundLibraries(Map<String, Path> files, String libc, String build) {}

  private final Path root;
  private final List<String> folders;
  private final Map<String, Path> found = new TreeMap<>();
  private final Map<String, Path> byName = new TreeMap<>();

  private SharedLibraries(Path root) throws IOException {
    this.root = root;
    Set<String> all = new LinkedHashSet<>(configured("etc/ld.so.conf"));
    all.addAll(
        List.of(
            "/lib64", "/usr/lib64",
            "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
            "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/lib", "/usr/lib"));
    this.folders = List.copyOf(all);
  }

  /**
   * Finds the libraries that the programs need, except those among the programs.
   *
   * @param root root of the system
   * @throws IOException if a library is missing; the message names the file that needs it
   */
  static FoundLibraries of(Collection<Path> programs, Path root) throws IOException {
    SharedLibraries all = new SharedLibraries(root);
    all.follow(programs);
    Path libc = all.byName.get(LIBC);
    if (libc == null) {
      throw new IOException("no program needs " + LIBC + ": only glibc is supported");
    }
    String text = Files.readString(libc, StandardCharsets.ISO_8859_1);
    Matcher banner = BANNER.matcher(text);
    if (!text.contains(NAMES_BUILT_IN) || !banner.find()) {
      throw new IOException(
          libc + " is older than 2.34, so it would load name services that are not in the image");
    }
    return new FoundLibraries(all.placed(libc), banner.group(2), banner.group(1));
  }

  private void follow(Collection<Path> programs) throws IOException {
    Set<String> own =
        programs.stream().map(p -> p.getFileName().toString()).collect(Collectors.toSet());
    Deque<Path> open = new ArrayDeque<>(programs);
    Set<String> linkers = new LinkedHashSet<>();
    while (!open.isEmpty()) {
      Path file = open.pop();
      Optional<ElfFile> elf = ElfFile.read(file);
      if (elf.isEmpty()) {
        continue;
      }
      elf.get()
          .interpreter()
          .ifPresent(linker -> {
            linkers.add(Path.of(linker).getFileName().toString());
            found.put(linker, system(linker));
          });
      for (String name : elf.get().needed()) {
        if (!own.contains(name) && !linkers.contains(name) && !byName.containsKey(name)) {
          Path library = find(name, file, elf.get());
          byName.put(name, library);
          open.add(library);
        }
      }
    }
    byName.keySet().removeAll(linkers);
  }

  /**
   * Places all libraries in the directory of the C library, where the dynamic linker searches by
   * default.
   */
  private Map<String, Path> placed(Path libc) {
    Path folder = Path.of("/").resolve(root.relativize(libc.resolveSibling("")));
    byName.forEach((name, file) -> found.put(folder.resolve(name).toString(), file));
    return found;
  }

  // Unpacked packages have no /lib, which is normally a link to /usr/lib.
  private Path system(String absolute) {
    Path file = root.resolve(absolute.substring(1));
    return Files.exists(file) ? file : root.resolve("usr").resolve(absolute.substring(1));
  }

  private Path find(String name, Path by, ElfFile elf) throws IOException {
    List<Path> candidates = new ArrayList<>();
    for (String folder : elf.runPath()) {
      String origin = by.toAbsolutePath().resolveSibling("").toString();
      candidates.add(Path.of(folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)));
    }
    folders.forEach(folder -> candidates.add(system(folder)));
    for (Path folder : candidates) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)
          && ElfFile.read(file).filter(f -> f.machine() == elf.machine()).isPresent()) {
        return file;
      }
    }
    throw new IOException(by + " needs " + name + ", which is in none of " + candidates);
  }

  private List<String> configured(String file) throws IOException {
    List<String> all = new ArrayList<>();
    Path conf = root.resolve(file);
    if (!Files.isRegularFile(conf)) {
      return all;
    }
    for (String line : Files.readAllLines(conf)) {
      String text = line.replaceFirst("#.*", "").strip();
      if (text.startsWith("include ")) {
        Path pattern = Path.of(text.substring("include ".length()).strip());
        all.addAll(
            included(
                pattern.isAbsolute() ? system(pattern.toString()) : conf.resolveSibling(pattern)));
      } else if (text.startsWith("/")) {
        all.add(text);
      }
    }
    return all;
  }

  private List<String> included(Path pattern) throws IOException {
    List<Path> files = new ArrayList<>();
    Path folder = pattern.resolveSibling("");
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> matching =
          Files.newDirectoryStream(folder, pattern.getFileName().toString())) {
        matching.forEach(files::add);
      }
    }
    List<String> all = new ArrayList<>();
    for (Path file : files.stream().sorted().toList()) {
      all.addAll(configured(root.relativize(file).toString()));
    }
    return all;
  }
}
