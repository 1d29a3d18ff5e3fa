package dev.mooring.plugin.localpath;

import dev.mooring.spi.files.DirectoryTree;
import dev.mooring.spi.files.PathRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What runs in a helper pod: makes or removes one directory below the folder where the node's base
 * path is mounted, by the code that does so without a pod. What goes wrong is said on the error
 * stream, whose end Kubernetes puts into the pod's status.
 */
final class HelperMain {
  /** What it ends with if it will never work. */
  static final int NEVER = 2;

  private static final int FAILED = 1;

  private HelperMain() {}

  /**
   * Begins.
   *
   * @param args {@code make} or {@code remove}, the folder, the path below it, the volume's name
   */
  static void main(String[] args) {
    int end = run(args);
    if (end != 0) {
      System.exit(end);
    }
  }

  private static int run(String[] args) {
    try {
      if (args.length != 4) {
        throw new Refused("four arguments are needed");
      }
      DirectoryAction action = DirectoryAction.valueOf(args[0].toUpperCase(Locale.ROOT));
      action.on(DirectoryTree.at(Path.of(args[1])), action.path(args[2]), args[3]);
      return 0;
    } catch (Refused e) {
      System.err.println(e.why());
      return NEVER;
    } catch (PathRefused e) {
      System.err.println(e.why());
      return NEVER;
    } catch (IllegalArgumentException e) {
      System.err.println(e);
      return NEVER;
    } catch (IOException e) {
      System.err.println(e);
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }
}
