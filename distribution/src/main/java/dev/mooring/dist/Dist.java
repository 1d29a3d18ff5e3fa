package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage;
import dev.mooring.dist.image.ContainerImage.Machine;
import dev.mooring.dist.image.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Puts release artefacts together of what a build has left: {@code ./mooring dist}. */
public final class Dist {
  private static final List<String> MODULES =
      List.of(
          "controller-manager",
          "plugins-csi-bridge",
          "plugins-hostpath",
          "plugins-local-path",
          "plugins-nfs");

  /** Jars that would be handed out though nobody has said what they are. */
  static final class UnnamedJarsException extends IOException {
    private static final long serialVersionUID = 1L;

    private UnnamedJarsException(List<String> jars) {
      super(
          "the bill of materials does not name "
              + String.join(", ", jars)
              + ": if an earlier build has left it, run './mooring dist', which builds everything"
              + " anew; else declare it as a dependency in a pom.xml");
    }
  }

  private final Path checkout;
  private final String version;
  private final Instant time;

  /**
   * Of that checkout.
   *
   * @param time when everything was made, as far as anybody can tell
   */
  Dist(Path checkout, String version, Instant time) {
    this.checkout = checkout;
    this.version = version;
    this.time = time;
  }

  /**
   * Writes them, and says where they are.
   *
   * @param args the checkout, the version, the time of the sources, options, {@code --} and the
   *     flags that the JVM is started with in the image
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    DistOptions options;
    try {
      options = DistOptions.of(List.of(args).subList(3, args.length));
    } catch (IllegalArgumentException e) {
      System.err.println("mooring: " + e.getMessage());
      System.exit(2);
      return;
    }
    Path checkout = Path.of(args[0]);
    Path into = Files.createDirectories(checkout.resolve("distribution/target/dist"));
    List<Path> made;
    try {
      made = new Dist(checkout, args[1], Instant.parse(args[2])).write(into, options);
    } catch (UnnamedJarsException | RefusedException e) {
      System.err.println("mooring: " + e.getMessage());
      System.exit(1);
      return;
    }
    for (Path file : made) {
      System.out.printf("%9d KiB  %s%n", Files.size(file) / 1024, file.toAbsolutePath());
    }
  }

  private Contents contents() throws IOException {
    Contents contents =
        new Contents()
            .add("mooring", checkout.resolve("mooring"))
            .add("LICENSE", checkout.resolve("LICENSE"))
            .add("README.md", checkout.resolve("README.md"))
            .add("CHANGELOG.md", checkout.resolve("CHANGELOG.md"))
            .addAll("docs", checkout.resolve("docs"))
            .addAll("app", app());
    Path deploy = checkout.resolve("deploy");
    return Files.isDirectory(deploy) ? contents.addAll("deploy", deploy) : contents;
  }

  private Path app() {
    return checkout.resolve("controller-manager/target/mooring");
  }

  /**
   * Writes the artefacts into that folder.
   *
   * @return the files
   * @throws IOException if something is not there
   * @throws UnnamedJarsException if the bill of materials does not name a jar; nothing is written
   * @throws RefusedException if the other machine that is named cannot be used; nothing is written
   */
  List<Path> write(Path into, DistOptions options) throws IOException, InterruptedException {
    if (options.other().isPresent()) {
      options.other().get().check();
    }
    Contents contents = contents();
    String name = "mooring-" + version;
    Archives archives = new Archives(name, time);
    Path tar = into.resolve(name + ".tar.gz");
    Path zip = into.resolve(name + ".zip");
    Path bom = into.resolve(name + ".cdx.json");
    Sbom sbom = sbom();
    List<String> missing = sbom.missing(contents.files());
    if (!missing.isEmpty()) {
      throw new UnnamedJarsException(missing);
    }
    Files.writeString(bom, sbom.json());
    archives.tarGz(contents, tar);
    archives.zip(contents, zip);
    List<Path> made = new ArrayList<>(List.of(tar, zip, bom));
    Provenance provenance =
        new Provenance()
            .parameter("command", "./mooring dist")
            .parameter("version", version)
            .sources(checkout);
    sbom.materials(provenance);
    if (options.image()) {
      made.addAll(imageIfPossible(into, options, provenance));
    }
    for (Path file : made) {
      provenance.made(file);
    }
    Path statement = into.resolve(name + ".intoto.json");
    Files.writeString(statement, provenance.json(options.builder()));
    made.add(statement);
    Path sums = into.resolve("SHA256SUMS");
    Sbom.checksums(made, sums);
    made.add(sums);
    return made;
  }

  private Sbom sbom() throws IOException {
    return Sbom.of(
        MODULES.stream().map(m -> checkout.resolve(m).resolve("target/bom.json")).toList(), time);
  }

  private List<Path> imageIfPossible(Path into, DistOptions options, Provenance provenance)
      throws IOException, InterruptedException {
    String reason = ContainerImage.notHere();
    if (!reason.isEmpty()) {
      System.err.println("mooring: no image is made: " + reason);
      return List.of();
    }
    List<Path> made =
        new ArrayList<>(image(into, ingredients(options, new Machine.This()), provenance));
    if (options.other().isPresent()) {
      made.addAll(image(into, ingredients(options, options.other().get()), provenance));
    }
    return made;
  }

  private ContainerImage.Ingredients ingredients(DistOptions options, Machine machine) {
    return new ContainerImage.Ingredients(
        app(), version, time, options.flags(), List.of(checkout.resolve("LICENSE")), machine);
  }

  private List<Path> image(Path into, ContainerImage.Ingredients ingredients, Provenance provenance)
      throws IOException, InterruptedException {
    boolean other = ingredients.machine() instanceof Machine.Other;
    ContainerImage image =
        ContainerImage.make(
            ingredients,
            checkout.resolve("distribution/target").resolve(other ? "image-other" : "image"),
            into);
    String name = image.tar().getFileName().toString().replaceFirst("\\.oci\\.tar$", "");
    Path bom = into.resolve(name + ".cdx.json");
    Files.writeString(bom, ImageSbom.of(sbom(), image).json());
    ImageSbom.materials(image, provenance);
    provenance.made(
        "mooring:" + version + (other ? "-" + image.architecture() : ""),
        image.digest().replace("sha256:", ""));
    System.out.println(
        "image mooring:%s for linux/%s, digest %s, modules %s"
            .formatted(
                version,
                image.architecture(),
                image.digest(),
                String.join(",", image.jdk().modules())));
    return List.of(image.tar(), bom);
  }
}
