package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage.ImageMachine;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Options of {@code ./mooring dist}.
 *
 * @param buildsImage whether to build a container image
 * @param builder URI of the builder, for the provenance
 * @param flags JVM flags of the image
 * @param otherMachine machine for which to build a second image
 */
record DistOptions(
    boolean buildsImage,
    String builder,
    List<String> flags,
    Optional<ImageMachine.OtherMachine> otherMachine) {
  private static final String BUILDER = "--builder=";

  private static final String JDK = "--jdk-arm64=";
  private static final String ROOT = "--root-arm64=";

  static final DistOptions ARCHIVES =
      new DistOptions(false, "urn:mooring:unnamed-builder", List.of(), Optional.empty());

  /**
   * Parses the options.
   *
   * @param args options, {@code --} and the JVM flags
   * @throws IllegalArgumentException if an option is unknown or a combination is invalid
   */
  static DistOptions of(List<String> args) {
    int end = args.contains("--") ? args.indexOf("--") : args.size();
    List<String> optionArgs = args.subList(0, end);
    DistOptions options =
        new DistOptions(
            true,
            ARCHIVES.builder,
            args.subList(Math.min(end + 1, args.size()), args.size()),
            parseOtherMachine(optionArgs));
    for (String arg : optionArgs) {
      options = options.with(arg);
    }
    if (!options.buildsImage && options.otherMachine.isPresent()) {
      throw new IllegalArgumentException(JDK + "DIR and --no-image exclude each other");
    }
    return options;
  }

  private static Optional<ImageMachine.OtherMachine> parseOtherMachine(List<String> args) {
    Optional<Path> jdk = path(args, JDK);
    Optional<Path> root = path(args, ROOT);
    if (jdk.isPresent() != root.isPresent()) {
      throw new IllegalArgumentException(
          "%sDIR (a JDK for arm64) and %sDIR (the root of an arm64 system) must be given both or not at all"
              .formatted(JDK, ROOT));
    }
    return jdk.map(home -> new ImageMachine.OtherMachine("arm64", home, root.orElseThrow()));
  }

  private static Optional<Path> path(List<String> args, String option) {
    return args.stream()
        .filter(arg -> arg.startsWith(option))
        .reduce((first, last) -> last)
        .map(arg -> Path.of(arg.substring(option.length())).toAbsolutePath());
  }

  private DistOptions with(String arg) {
    if (arg.equals("--no-image")) {
      return new DistOptions(false, builder, flags, otherMachine);
    }
    if (arg.startsWith(BUILDER)) {
      return new DistOptions(buildsImage, arg.substring(BUILDER.length()), flags, otherMachine);
    }
    if (arg.startsWith(JDK) || arg.startsWith(ROOT)) {
      return this;
    }
    throw new IllegalArgumentException(
        "unknown option %s; options: --no-image, --builder=URI, --jdk-arm64=DIR with --root-arm64=DIR"
            .formatted(arg));
  }
}
