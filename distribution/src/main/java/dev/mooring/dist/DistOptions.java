package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage.Cache;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@code ./mooring dist} is asked for.
 *
 * @param image whether an image is made too
 * @param cache the image's cache of loaded classes
 * @param builder who builds, a URI
 * @param flags what the JVM is started with in the image
 */
record DistOptions(boolean image, Cache cache, String builder, List<String> flags) {
  private static final String CACHE = "--aot-cache";
  private static final String BUILDER = "--builder=";

  /** Archives only. */
  static final DistOptions ARCHIVES =
      new DistOptions(false, new Cache.None(), "urn:mooring:unnamed-builder", List.of());

  /**
   * Reads them.
   *
   * @param args options, {@code --} and the flags
   * @throws IllegalArgumentException if there is another; the message says which there are
   */
  static DistOptions of(List<String> args) {
    int end = args.contains("--") ? args.indexOf("--") : args.size();
    DistOptions options =
        new DistOptions(
            true,
            new Cache.None(),
            ARCHIVES.builder,
            args.subList(Math.min(end + 1, args.size()), args.size()));
    for (String arg : args.subList(0, end)) {
      options = options.with(arg);
    }
    return options;
  }

  private DistOptions with(String arg) {
    if (arg.equals("--no-image")) {
      return new DistOptions(false, cache, builder, flags);
    }
    if (arg.equals(CACHE)) {
      return new DistOptions(image, new Cache.Trained(), builder, flags);
    }
    if (arg.startsWith(CACHE + "=")) {
      Path file = Path.of(arg.substring(CACHE.length() + 1));
      return new DistOptions(image, new Cache.Given(file), builder, flags);
    }
    if (arg.startsWith(BUILDER)) {
      return new DistOptions(image, cache, arg.substring(BUILDER.length()), flags);
    }
    throw new IllegalArgumentException(
        "there is no option " + arg + ": there are --no-image, --aot-cache[=FILE], --builder=URI");
  }
}
