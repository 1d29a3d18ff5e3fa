package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRejectedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Entry point in a helper pod: creates or removes one directory below the mount point of the node's
 * base path. Errors go to standard error; the kubelet copies its end into the pod's status.
 */
final class HelperMain {
  static final int EXIT_REJECTED = 2;

  private static final int EXIT_FAILED = 1;

  private HelperMain() {}

  /**
   * Runs one action.
   *
   * @param args {@code make} or {@code remove}, mount point, path below it, volume name
   */
  static void main(String[] args) {
    int exitCode = run(args);
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  private static int run(String[] args) {
    try {
      if (args.length != 4) {
        throw new InvalidInputException("expected four arguments");
      }
      DirectoryAction action = DirectoryAction.valueOf(args[0].toUpperCase(Locale.ROOT));
      action.run(DirectoryTree.at(Path.of(args[1])), action.parsePath(args[2]), args[3]);
      return 0;
    } catch (InvalidInputException e) {
      System.err.println(e.reason());
      return EXIT_REJECTED;
    } catch (PathRejectedException e) {
      System.err.println(e.reason());
      return EXIT_REJECTED;
    } catch (IllegalArgumentException e) {
      System.err.println(e);
      return EXIT_REJECTED;
    } catch (IOException e) {
      System.err.println(e);
      return EXIT_FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return EXIT_FAILED;
    }
  }
}
