package dev.mooring.spi.files;

import dev.mooring.spi.UsageMeter.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Directories below a root. The tree opens each directory by name relative to its open parent and
 * never follows links. Therefore no process that replaces a directory with a link can redirect an
 * operation out of the root or into another volume. Links in the path of the root itself are
 * followed; the administrator controls that path.
 *
 * <p>New directories are completed elsewhere and then renamed, so each appears with its final owner
 * and mode. All calls except {@link #move} can be repeated, also after a crash. The plugin must
 * record the owner of each directory.
 *
 * <p>Errors: after an {@link IOException} the operation may or may not have happened ({@code
 * Uncertain}). On a platform that cannot open directories relative to a descriptor (Linux can),
 * every call fails without effect. A {@link NotDirectoryException} means that the path, or an
 * element on the way to it, is a link or another non-directory ({@code Rejected}); {@code
 * getFile()} names it. A {@link java.nio.file.InvalidPathException} means that the platform's
 * encoding cannot represent the name.
 *
 * <p>Threads: many. Calls block. Those that may take long throw {@link InterruptedException} on
 * interrupt; a repeated call continues the work.
 */
public final class DirectoryTree {
  /**
   * Permissions and ownership of a new directory.
   *
   * @param mode permissions, independent of the process's umask
   * @param uid owner; empty for the process's user
   * @param gid group; empty for the system's default
   */
  public record Access(Set<PosixFilePermission> mode, OptionalInt uid, OptionalInt gid) {
    public Access {
      mode = Set.copyOf(mode);
    }

    /**
     * Returns access for the process's user and the system's default group.
     *
     * @param mode permissions, for example {@code rwxr-x---}
     * @throws IllegalArgumentException if the mode is invalid
     */
    public static Access of(String mode) {
      return new Access(
          PosixFilePermissions.fromString(mode), OptionalInt.empty(), OptionalInt.empty());
    }
  }

  private static final Access PASSAGE = Access.of("rwxr-xr-x");
  private static final String NEW = "new";
  private static final String TRASH = "trash";

  private final Path root;
  private final boolean hasPrivateDirectory;
  private volatile @Nullable Set<Path> oldDrafts; // drafts that interrupted calls left at the root
  private final PrivateDirectory privateDirectory;

  private DirectoryTree(Path root, boolean hasPrivateDirectory) {
    this.root = root;
    this.hasPrivateDirectory = hasPrivateDirectory;
    this.privateDirectory = PrivateDirectory.forRoot(root);
  }

  /**
   * Returns a tree that keeps only requested directories at its root. While it creates a directory,
   * the root contains an entry that starts with {@code .mooring-new-}. After a crash that entry
   * stays until another tree creates a directory for the same key. Use one tree per root: each
   * instance lists the root once to find such entries.
   *
   * @param root may be absent
   */
  public static DirectoryTree at(Path root) {
    return new DirectoryTree(root, false);
  }

  /**
   * Returns a tree with a private directory {@code .mooring} at its root for incomplete and
   * discarded directories and the plugin's files. Only the process's user may access it, and the
   * tree checks that before each use. A process that can write to the root can still replace it
   * during a use. Only the process's user should have write access to the root.
   *
   * @param root may be absent
   */
  public static DirectoryTree withPrivateDirectory(Path root) {
    return new DirectoryTree(root, true);
  }

  /** Returns whether the root is a directory. */
  public boolean rootExists() {
    return Files.isDirectory(root);
  }

  /**
   * Checks that the root is a directory whose contents only the process's user and root can change.
   *
   * @throws java.nio.file.FileSystemException if other users can; the reason names the remedy
   */
  public void checkRoot() throws IOException {
    PrivateDirectory.checkTrusted(root);
  }

  /**
   * Returns a directory below {@code .mooring} for the plugin's files. Creates it with mode 0700 if
   * it is absent.
   *
   * @param name constant name, other than {@code new} and {@code trash}
   * @throws NotDirectoryException if a link or another non-directory is in its place
   * @throws java.nio.file.FileSystemException if {@code .mooring} has a mode or owner that this
   *     process does not create; the reason names the remedy
   */
  public Path privateDirectory(String name) throws IOException {
    Path element = toElement(name);
    Path directory = privateDirectory.findOrCreate().resolve(element);
    PrivateDirectory.createIfAbsent(directory);
    return directory;
  }

  private static Path toElement(String name) {
    try {
      return Path.of(RelativePath.element(name));
    } catch (PathRejectedException e) {
      throw new IllegalArgumentException(e.reason(), e);
    }
  }

  private OpenDirectory open(List<Path> names) throws IOException {
    return OpenDirectory.of(root, names);
  }

  private OpenDirectory openParent(RelativePath path) throws IOException {
    List<Path> names = path.names();
    return open(names.subList(0, names.size() - 1));
  }

  /**
   * Returns whether the path exists; a link counts as existing. Parents may be absent.
   *
   * @throws IOException if the root is absent, because the answer is then unknown
   */
  public boolean exists(RelativePath path) throws IOException {
    try (OpenDirectory parent = openParent(path)) {
      return parent.contains(path.names().getLast());
    } catch (NoSuchFileException absent) {
      if (!rootExists()) {
        throw new IOException(root + " does not exist", absent);
      }
      return false;
    }
  }

  /**
   * Returns whether all entries of a directory are directories.
   *
   * @throws NoSuchFileException if the directory does not exist
   * @throws NotDirectoryException if the path or an element on the way to it is not a directory
   */
  public boolean hasDirectoriesOnly(RelativePath path) throws IOException, InterruptedException {
    try (OpenDirectory directory = open(path.names())) {
      return directory.hasDirectoriesOnly();
    }
  }

  /**
   * Creates a directory and its missing parents; parents get mode 0755. An existing directory stays
   * unchanged.
   *
   * @param key owner of the directory, for example the volume's name; the next call with the same
   *     key deletes what an interrupted call left
   * @throws NotDirectoryException if the path or an element on the way to it is not a directory
   */
  public void make(RelativePath path, Access access, String key) throws IOException {
    String prefix =
        (hasPrivateDirectory ? "" : RelativePath.DRAFT)
            + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    List<Path> names = path.names();
    for (int depth = 1; depth <= names.size(); depth++) {
      Path name = names.get(depth - 1);
      try (OpenDirectory parent = open(names.subList(0, depth - 1))) {
        if (!parent.contains(name)) {
          createDirectory(parent, name, depth == names.size() ? access : PASSAGE, prefix);
        }
        if (!parent.isDirectory(name)) {
          throw new NotDirectoryException(String.join("/", path.elements().subList(0, depth)));
        }
      }
    }
  }

  private void createDirectory(OpenDirectory parent, Path name, Access access, String prefix)
      throws IOException {
    Path folder = hasPrivateDirectory ? privateDirectory(NEW) : root;
    try (OpenDirectory staging =
        open(
            hasPrivateDirectory
                ? List.of(Path.of(RelativePath.PRIVATE), Path.of(NEW))
                : List.of())) {
      for (Path oldDraft : findOldDrafts(staging, prefix)) {
        discardDraft(staging, oldDraft);
      }
      Path draft = Path.of(prefix + "-" + UUID.randomUUID());
      try {
        Files.createDirectory(folder.resolve(draft), PrivateDirectory.OWNER_ONLY);
        setAccess(staging, draft, folder, access);
        staging.move(draft, parent, name);
      } catch (IOException e) {
        discardDraft(staging, draft);
        if (!parent.contains(name)) { // otherwise another thread created it first
          throw e;
        }
      }
    }
  }

  private List<Path> findOldDrafts(OpenDirectory staging, String prefix) throws IOException {
    if (hasPrivateDirectory) {
      return staging.findByPrefix(prefix);
    }
    Set<Path> drafts = oldDrafts;
    if (drafts == null) {
      drafts = listDraftsOnce(staging); // the root may contain thousands of volumes
    }
    List<Path> matches = drafts.stream().filter(d -> d.toString().startsWith(prefix)).toList();
    matches.forEach(drafts::remove);
    return matches;
  }

  private synchronized Set<Path> listDraftsOnce(OpenDirectory staging) throws IOException {
    Set<Path> drafts = oldDrafts;
    if (drafts == null) {
      drafts = ConcurrentHashMap.newKeySet();
      drafts.addAll(staging.findByPrefix(RelativePath.DRAFT));
      oldDrafts = drafts;
    }
    return drafts;
  }

  /**
   * Deletes only an empty draft: after a rename whose result is unknown, the directory may be in
   * use.
   */
  private void discardDraft(OpenDirectory staging, Path draft) {
    try {
      staging.deleteDirectory(draft);
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      Set<Path> drafts = oldDrafts;
      if (drafts != null) {
        drafts.add(draft); // harmless until the next call deletes it
      }
    }
  }

  private static void setAccess(OpenDirectory staging, Path draft, Path folder, Access access)
      throws IOException {
    try (OpenDirectory created = staging.enter(draft)) {
      Path path = folder.resolve(draft);
      if (access.gid().isPresent()) {
        Files.setAttribute(path, "unix:gid", access.gid().getAsInt(), LinkOption.NOFOLLOW_LINKS);
      }
      if (access.uid().isPresent()) {
        Files.setAttribute(path, "unix:uid", access.uid().getAsInt(), LinkOption.NOFOLLOW_LINKS);
      }
      created.setMode(access.mode());
    }
  }

  /**
   * Renames an entry; a link is renamed itself, not its target.
   *
   * @param target free path whose parents exist
   * @throws FileAlreadyExistsException if the target exists
   */
  public void move(RelativePath source, RelativePath target) throws IOException {
    try (OpenDirectory sourceParent = openParent(source);
        OpenDirectory targetParent = openParent(target)) {
      Path name = target.names().getLast();
      if (targetParent.contains(name)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      sourceParent.move(source.names().getLast(), targetParent, name);
    }
  }

  /**
   * Deletes a directory in place with all its contents; links are deleted, not followed. Succeeds
   * if the directory does not exist.
   *
   * @throws NotDirectoryException if the path or an element on the way to it is not a directory
   * @throws IOException if the root is absent, if an entry was added concurrently, or if a file
   *     system is mounted on or below the directory; mounted file systems stay unchanged
   */
  public void remove(RelativePath path) throws IOException, InterruptedException {
    remove(path, false);
  }

  /**
   * Deletes an entry of any type as {@link #remove} does; a link or file is deleted itself.
   *
   * @throws NotDirectoryException if an element on the way to it is not a directory
   */
  public void removeAny(RelativePath path) throws IOException, InterruptedException {
    remove(path, true);
  }

  private void remove(RelativePath path, boolean anyType) throws IOException, InterruptedException {
    if (!exists(path)) {
      return;
    }
    List<Path> names = path.names();
    try (OpenDirectory parent = openParent(path)) {
      if (parent.isDirectory(names.getLast())) {
        if (!parent.deleteIfEmpty(names.getLast())) {
          TreeRemoval.empty(root, names);
          parent.deleteDirectory(names.getLast());
        }
      } else if (anyType) {
        parent.deleteFile(names.getLast());
      } else {
        throw new NotDirectoryException(path.toString());
      }
    } catch (NoSuchFileException vanished) {
      if (exists(path)) {
        throw vanished;
      }
    }
  }

  /**
   * Moves an entry to the trash, from which {@link #removeDiscarded} deletes it. The path is free
   * at once, however long the deletion takes. A link is moved itself. Succeeds if the path does not
   * exist.
   *
   * @param key owner of the entry, for example the volume's name
   * @throws IllegalArgumentException if the key is not a single path element
   * @throws IOException if the root is absent
   */
  public void discard(RelativePath path, String key) throws IOException {
    Path trash = toElement(key);
    if (!exists(path)) {
      return;
    }
    PrivateDirectory.createIfAbsent(privateDirectory(TRASH).resolve(trash));
    try (OpenDirectory source = openParent(path);
        OpenDirectory target = open(trashNames(key))) {
      source.move(path.names().getLast(), target, Path.of(UUID.randomUUID().toString()));
    } catch (NoSuchFileException vanished) {
      if (exists(path)) {
        throw vanished;
      }
    }
  }

  /**
   * Deletes everything that was discarded under a key, as {@link #remove} does.
   *
   * @throws IllegalArgumentException if the key is not a single path element
   */
  public void removeDiscarded(String key) throws IOException, InterruptedException {
    Path trash = privateDirectory(TRASH).resolve(toElement(key));
    if (Files.isDirectory(trash, LinkOption.NOFOLLOW_LINKS)) {
      TreeRemoval.empty(root, trashNames(key));
      Files.delete(trash);
    }
  }

  private static List<Path> trashNames(String key) {
    return List.of(Path.of(RelativePath.PRIVATE), Path.of(TRASH), toElement(key));
  }

  /**
   * Returns the total size and number of the entries below a directory, without the directory
   * itself. A file with several names counts once per name; a link counts with its own size.
   *
   * @return bytes, files, and the number of directories that the process's user cannot read
   * @throws NoSuchFileException if the directory does not exist
   * @throws java.nio.file.FileSystemException if the tree is deeper than 2048 directories, or has
   *     too many files or deep directories to count
   */
  public Usage measure(RelativePath path) throws IOException, InterruptedException {
    return TreeUsage.of(root, path.names());
  }
}
