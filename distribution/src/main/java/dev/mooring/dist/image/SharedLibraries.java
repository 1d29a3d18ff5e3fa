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
  private static final String BUILT_IN_NAMES_VERSION = "GLIBC_2.34";

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
  private final List<String> searchFolders;
  private final Map<String, Path> filesByImagePath = new TreeMap<>();
  private final Map<String, Path> librariesByName = new TreeMap<>();

  private SharedLibraries(Path root) throws IOException {
    this.root = root;
    Set<String> folderNames = new LinkedHashSet<>(readFolders("etc/ld.so.conf"));
    folderNames.addAll(
        List.of(
            "/lib64", "/usr/lib64",
            "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
            "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/lib", "/usr/lib"));
    this.searchFolders = List.copyOf(folderNames);
  }

  /**
   * Finds the libraries that the programs need, except those among the programs.
   *
   * @param root root of the system
   * @throws IOException if a library is missing; the message names the file that needs it
   */
  static FoundLibraries of(Collection<Path> programs, Path root) throws IOException {
    SharedLibraries search = new SharedLibraries(root);
    search.findAll(programs);
    Path libc = search.librariesByName.get(LIBC);
    if (libc == null) {
      throw new IOException("no program needs " + LIBC + ": only glibc is supported");
    }
    String text = Files.readString(libc, StandardCharsets.ISO_8859_1);
    Matcher banner = BANNER.matcher(text);
    if (!text.contains(BUILT_IN_NAMES_VERSION) || !banner.find()) {
      throw new IOException(
          libc + " is older than 2.34, so it would load name services that are not in the image");
    }
    return new FoundLibraries(search.placeInLibcFolder(libc), banner.group(2), banner.group(1));
  }

  private void findAll(Collection<Path> programs) throws IOException {
    Set<String> programNames =
        programs.stream().map(p -> p.getFileName().toString()).collect(Collectors.toSet());
    Deque<Path> pending = new ArrayDeque<>(programs);
    Set<String> linkers = new LinkedHashSet<>();
    while (!pending.isEmpty()) {
      Path file = pending.pop();
      Optional<ElfFile> elf = ElfFile.read(file);
      if (elf.isEmpty()) {
        continue;
      }
      elf.get()
          .interpreter()
          .ifPresent(linker -> {
            linkers.add(Path.of(linker).getFileName().toString());
            filesByImagePath.put(linker, resolveOnSystem(linker));
          });
      for (String name : elf.get().needed()) {
        if (!programNames.contains(name)
            && !linkers.contains(name)
            && !librariesByName.containsKey(name)) {
          Path library = find(name, file, elf.get());
          librariesByName.put(name, library);
          pending.add(library);
        }
      }
    }
    librariesByName.keySet().removeAll(linkers);
  }

  /**
   * Places all libraries in the directory of the C library, where the dynamic linker searches by
   * default.
   */
  private Map<String, Path> placeInLibcFolder(Path libc) {
    Path folder = Path.of("/").resolve(root.relativize(libc.resolveSibling("")));
    librariesByName.forEach(
        (name, file) -> filesByImagePath.put(folder.resolve(name).toString(), file));
    return filesByImagePath;
  }

  // Unpacked packages have no /lib, which is normally a link to /usr/lib.
  private Path resolveOnSystem(String absolute) {
    Path file = root.resolve(absolute.substring(1));
    return Files.exists(file) ? file : root.resolve("usr").resolve(absolute.substring(1));
  }

  private Path find(String name, Path dependent, ElfFile elf) throws IOException {
    List<Path> candidates = new ArrayList<>();
    for (String folder : elf.runPath()) {
      String origin = dependent.toAbsolutePath().resolveSibling("").toString();
      candidates.add(Path.of(folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)));
    }
    searchFolders.forEach(folder -> candidates.add(resolveOnSystem(folder)));
    for (Path folder : candidates) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)
          && ElfFile.read(file).filter(f -> f.machine() == elf.machine()).isPresent()) {
        return file;
      }
    }
    throw new IOException(dependent + " needs " + name + ", which is in none of " + candidates);
  }

  private List<String> readFolders(String file) throws IOException {
    List<String> folderNames = new ArrayList<>();
    Path configFile = root.resolve(file);
    if (!Files.isRegularFile(configFile)) {
      return folderNames;
    }
    for (String line : Files.readAllLines(configFile)) {
      String text = line.replaceFirst("#.*", "").strip();
      if (text.startsWith("include ")) {
        Path pattern = Path.of(text.substring("include ".length()).strip());
        folderNames.addAll(
            readIncludedFolders(
                pattern.isAbsolute()
                    ? resolveOnSystem(pattern.toString())
                    : configFile.resolveSibling(pattern)));
      } else if (text.startsWith("/")) {
        folderNames.add(text);
      }
    }
    return folderNames;
  }

  private List<String> readIncludedFolders(Path pattern) throws IOException {
    List<Path> files = new ArrayList<>();
    Path folder = pattern.resolveSibling("");
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> matches =
          Files.newDirectoryStream(folder, pattern.getFileName().toString())) {
        matches.forEach(files::add);
      }
    }
    List<String> folderNames = new ArrayList<>();
    for (Path file : files.stream().sorted().toList()) {
      folderNames.addAll(readFolders(root.relativize(file).toString()));
    }
    return folderNames;
  }
}
