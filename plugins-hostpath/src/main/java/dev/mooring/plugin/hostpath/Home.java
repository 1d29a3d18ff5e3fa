package dev.mooring.plugin.hostpath;

import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter.Gone;
import dev.mooring.spi.Failure;
import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.DirectoryTree.Access;
import dev.mooring.spi.files.PathRefused;
import dev.mooring.spi.files.RelativePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A directory whose subdirectories are volumes. Each has a mark beside it, out of the reach of who
 * mounts the volume, that says whose it is: written before the volume is made, taken away after it
 * is gone.
 */
final class Home {
  private static final Access ACCESS = Access.of("rwxr-x---");

  private final Path home;
  private final Path marks;
  private final DirectoryTree tree;

  Home(Path home) {
    this.home = home.toAbsolutePath().normalize();
    this.marks = this.home.resolve(".mooring");
    this.tree = DirectoryTree.at(this.home);
  }

  /** Whether that path would be a volume's. */
  boolean isPlaceOf(Path path) {
    return home.equals(path.getParent()) && !path.equals(marks);
  }

  /**
   * The volume's directory: a second try finds the first one's.
   *
   * @param name the directory's name
   */
  Attempt<String> create(String volume, String name) {
    RelativePath below;
    try {
      below = RelativePath.of(RelativePath.element(name));
    } catch (PathRefused e) {
      return Attempt.rejected(
          "volume \"" + volume + "\" cannot be a directory of " + home + ": " + e.why());
    }
    Path directory = home.resolve(name);
    try {
      Files.createDirectories(marks);
      if (Files.isSymbolicLink(home) || Files.isSymbolicLink(marks)) {
        return Attempt.rejected(
            home + " is a symbolic link: remove it, volumes are made in a directory of their own");
      }
      boolean isThere = tree.exists(below);
      Optional<String> owner = owner(name);
      if (owner.isPresent() ? !owner.get().equals(volume) : isThere) {
        return Attempt.rejected(
            directory
                + " is "
                + owner.map(o -> "that of volume " + o).orElse("no volume's")
                + ": it is not used for volume "
                + volume);
      }
      mark(name, volume);
      tree.make(below, ACCESS, volume);
      return Attempt.done(directory.toString());
    } catch (NotDirectoryException e) {
      return Attempt.rejected(directory + " is in the way: it is no directory");
    } catch (IOException e) {
      // what was made is found again by its mark
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + directory + " cannot be made: " + e));
    }
  }

  /** Whether the volume's directory is there. */
  boolean has(String volume, Path directory) throws IOException {
    return isPlaceOf(directory)
        && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
        && owner(directory.getFileName().toString()).filter(volume::equals).isPresent();
  }

  /**
   * Removes the volume's directory and all that is in it.
   *
   * @param trusted whether it may go although it has no mark
   */
  Attempt<Gone> delete(String volume, Path directory, boolean trusted) {
    String name = directory.getFileName().toString();
    try {
      Optional<String> owner = owner(name);
      boolean mine = owner.map(volume::equals).orElse(trusted);
      if (!mine && (owner.isPresent() || Files.exists(directory, LinkOption.NOFOLLOW_LINKS))) {
        return Attempt.rejected(
            directory
                + owner.map(o -> " is that of volume " + o).orElse(" has no mark in " + marks)
                + ": volume "
                + volume
                + " does not destroy it; remove it by hand if it is not needed");
      }
      if (tree.isThere()) {
        tree.removeAny(RelativePath.below(home, directory));
      }
      Files.deleteIfExists(marks.resolve(name));
      return Attempt.done(new Gone());
    } catch (PathRefused e) {
      return Attempt.rejected(e.why());
    } catch (IOException e) {
      return new Attempt.Failed<>(
          new Failure.Uncertain("directory " + directory + " cannot be deleted: " + e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.Failed<>(
          new Failure.Uncertain("deleting directory " + directory + " was interrupted"));
    }
  }

  private Optional<String> owner(String name) throws IOException {
    try {
      return Optional.of(Files.readString(marks.resolve(name)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  private void mark(String name, String volume) throws IOException {
    Path draft = Files.createTempFile(marks, ".draft", "");
    Files.writeString(draft, volume);
    Files.move(draft, marks.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
