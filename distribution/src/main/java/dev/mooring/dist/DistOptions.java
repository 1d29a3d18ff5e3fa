package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What {@code ./mooring dist} is asked for.
 *
 * @param image whether an image is made too
 * @param builder who builds, a URI
 * @param flags what the JVM is started with in the image
 * @param other the machine that a second image is made for
 */
record DistOptions(
    boolean image, String builder, List<String> flags, Optional<Machine.Other> other) {
  private static final String BUILDER = "--builder=";

  private static final String JDK = "--jdk-arm64=";
  private static final String ROOT = "--root-arm64=";

  static final DistOptions ARCHIVES =
      new DistOptions(false, "urn:mooring:unnamed-builder", List.of(), Optional.empty());

  /**
   * Reads them.
   *
   * @param args options, {@code --} and the flags
   * @throws IllegalArgumentException if there is another, or two do not go together; the message
   *     says which there are
   */
  static DistOptions of(List<String> args) {
    int end = args.contains("--") ? args.indexOf("--") : args.size();
    List<String> named = args.subList(0, end);
    DistOptions options =
        new DistOptions(
            true,
            ARCHIVES.builder,
            args.subList(Math.min(end + 1, args.size()), args.size()),
            other(named));
    for (String arg : named) {
      options = options.with(arg);
    }
    if (!options.image && options.other.isPresent()) {
      throw new IllegalArgumentException(JDK + "DIR and --no-image do not go together");
    }
    return options;
  }

  private static Optional<Machine.Other> other(List<String> args) {
    Optional<Path> jdk = path(args, JDK);
    Optional<Path> root = path(args, ROOT);
    if (jdk.isPresent() != root.isPresent()) {
      throw new IllegalArgumentException(
          JDK
              + "DIR, a JDK for arm64, and "
              + ROOT
              + "DIR, where its system's libraries are, are"
              + " given both or not at all");
    }
    return jdk.map(home -> new Machine.Other("arm64", home, root.orElseThrow()));
  }

  private static Optional<Path> path(List<String> args, String option) {
    return args.stream()
        .filter(arg -> arg.startsWith(option))
        .reduce((first, last) -> last)
        .map(arg -> Path.of(arg.substring(option.length())).toAbsolutePath());
  }

  private DistOptions with(String arg) {
    if (arg.equals("--no-image")) {
      return new DistOptions(false, builder, flags, other);
    }
    if (arg.startsWith(BUILDER)) {
      return new DistOptions(image, arg.substring(BUILDER.length()), flags, other);
    }
    if (arg.startsWith(JDK) || arg.startsWith(ROOT)) {
      return this;
    }
    throw new IllegalArgumentException(
        "there is no option "
            + arg
            + ": there are --no-image, --builder=URI, --jdk-arm64=DIR with"
            + " --root-arm64=DIR");
  }
}
