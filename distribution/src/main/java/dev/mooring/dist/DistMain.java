package dev.mooring.dist;

import dev.mooring.dist.image.ContainerImage;
import dev.mooring.dist.image.ContainerImage.ImageMachine;
import dev.mooring.dist.image.RefusedException;
import dev.mooring.dist.site.DocsSite;
import dev.mooring.manager.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Main class of {@code ./mooring dist}: packs the release artefacts from the results of a build.
 */
public final class DistMain {
  private static final List<String> MODULES =
      List.of(
          "controller-manager",
          "plugins-csi-bridge",
          "plugins-hostpath",
          "plugins-local-path",
          "plugins-nfs");

  /** Thrown for jars that the bill of materials does not list. */
  static final class UnnamedJarsException extends IOException {
    private static final long serialVersionUID = 1L;

    private UnnamedJarsException(List<String> jars) {
      super(
          "the bill of materials does not list %s: if the jar is left over from an earlier build, run './mooring dist', which rebuilds everything; otherwise declare it as a dependency in a pom.xml"
              .formatted(String.join(", ", jars)));
    }
  }

  private final Path checkout;
  private final String version;
  private final Instant time;

  /**
   * Creates the packer.
   *
   * @param time modification time of everything in the artefacts
   */
  DistMain(Path checkout, String version, Instant time) {
    this.checkout = checkout;
    this.version = version;
    this.time = time;
  }

  /**
   * Writes the artefacts and prints their paths.
   *
   * @param args the checkout, the version, the time of the sources, options, {@code --} and the JVM
   *     flags of the image
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
    Path target = Files.createDirectories(checkout.resolve("distribution/target/dist"));
    List<Path> artefacts;
    try {
      artefacts = new DistMain(checkout, args[1], Instant.parse(args[2])).write(target, options);
    } catch (UnnamedJarsException | RefusedException e) {
      System.err.println("mooring: " + e.getMessage());
      System.exit(1);
      return;
    }
    for (Path file : artefacts) {
      System.out.printf("%9d KiB  %s%n", Files.size(file) / 1024, file.toAbsolutePath());
    }
  }

  private ArchiveContents collectContents() throws IOException {
    ArchiveContents contents =
        new ArchiveContents()
            .add("mooring", checkout.resolve("mooring"))
            .add("LICENSE", checkout.resolve("LICENSE"))
            .add("README.md", checkout.resolve("README.md"))
            .add("CHANGELOG.md", checkout.resolve("CHANGELOG.md"))
            .addAll("docs", checkout.resolve("docs"))
            .addAll("man/man1", manualPages())
            .addAll("app", appFolder());
    Path deploy = checkout.resolve("deploy");
    return Files.isDirectory(deploy) ? contents.addAll("deploy", deploy) : contents;
  }

  private Path manualPages() throws IOException {
    Path folder = Files.createDirectories(checkout.resolve("distribution/target/man"));
    Map<String, String> pages = Main.manualPages(version);
    for (Map.Entry<String, String> page : pages.entrySet()) {
      Files.writeString(folder.resolve(page.getKey()), page.getValue());
    }
    return folder;
  }

  private Path appFolder() {
    return checkout.resolve("controller-manager/target/mooring");
  }

  /**
   * Writes the artefacts into a directory.
   *
   * @return the files
   * @throws IOException if an input is missing
   * @throws UnnamedJarsException if the bill of materials does not list a jar; nothing is written
   * @throws RefusedException if the JDK or root of the other machine is unusable; nothing is
   *     written
   */
  List<Path> write(Path target, DistOptions options) throws IOException, InterruptedException {
    if (options.otherMachine().isPresent()) {
      options.otherMachine().get().check();
    }
    ArchiveContents contents = collectContents();
    String name = "mooring-" + version;
    ArchiveWriter archives = new ArchiveWriter(name, time);
    Path tar = target.resolve(name + ".tar.gz");
    Path zip = target.resolve(name + ".zip");
    Path bom = target.resolve(name + ".cdx.json");
    MergedSbom sbom = readSbom();
    List<String> unlistedJars = sbom.findUnlistedJars(contents.files());
    if (!unlistedJars.isEmpty()) {
      throw new UnnamedJarsException(unlistedJars);
    }
    Files.writeString(bom, sbom.json());
    archives.tarGz(contents, tar);
    archives.zip(contents, zip);
    List<Path> artefacts = new ArrayList<>(List.of(tar, zip, bom, writeSite(target)));
    ProvenanceStatement provenance =
        new ProvenanceStatement()
            .addParameter("command", "./mooring dist")
            .addParameter("version", version)
            .addSources(checkout);
    sbom.recordMaterials(provenance);
    if (options.buildsImage()) {
      artefacts.addAll(imageIfPossible(target, options, provenance));
    }
    for (Path file : artefacts) {
      provenance.addSubject(file);
    }
    Path statement = target.resolve(name + ".intoto.json");
    Files.writeString(statement, provenance.json(options.builder()));
    artefacts.add(statement);
    Path sums = target.resolve("SHA256SUMS");
    MergedSbom.writeChecksums(artefacts, sums);
    artefacts.add(sums);
    return artefacts;
  }

  private Path writeSite(Path target) throws IOException {
    Path folder = checkout.resolve("distribution/target/site");
    DocsSite.write(checkout, version, folder);
    Path zip = target.resolve("mooring-%s-site.zip".formatted(version));
    new ArchiveWriter("mooring-" + version, time)
        .zip(new ArchiveContents().addAll("site", folder), zip);
    return zip;
  }

  private MergedSbom readSbom() throws IOException {
    return MergedSbom.of(
        MODULES.stream().map(m -> checkout.resolve(m).resolve("target/bom.json")).toList(), time);
  }

  private List<Path> imageIfPossible(
      Path target, DistOptions options, ProvenanceStatement provenance)
      throws IOException, InterruptedException {
    String reason = ContainerImage.reasonNotBuildable();
    if (!reason.isEmpty()) {
      System.err.println("mooring: skipping the image: " + reason);
      return List.of();
    }
    List<Path> artefacts =
        new ArrayList<>(
            buildImage(target, imageInputs(options, new ImageMachine.ThisMachine()), provenance));
    if (options.otherMachine().isPresent()) {
      artefacts.addAll(
          buildImage(target, imageInputs(options, options.otherMachine().get()), provenance));
    }
    return artefacts;
  }

  private ContainerImage.ImageInputs imageInputs(DistOptions options, ImageMachine machine)
      throws InterruptedException {
    return new ContainerImage.ImageInputs(
        appFolder(),
        new ContainerImage.Release(version, new GitCheckout(checkout).revision()),
        time,
        options.flags(),
        List.of(checkout.resolve("LICENSE")),
        machine);
  }

  private List<Path> buildImage(
      Path into, ContainerImage.ImageInputs inputs, ProvenanceStatement provenance)
      throws IOException, InterruptedException {
    boolean isOtherMachine = inputs.machine() instanceof ImageMachine.OtherMachine;
    ContainerImage image =
        ContainerImage.build(
            inputs,
            checkout
                .resolve("distribution/target")
                .resolve(isOtherMachine ? "image-other" : "image"),
            into);
    String name = image.tar().getFileName().toString().replaceFirst("\\.oci\\.tar$", "");
    Path bom = into.resolve(name + ".cdx.json");
    Files.writeString(bom, ImageSbom.of(readSbom(), image).json());
    ImageSbom.recordMaterials(image, provenance);
    provenance.addSubject(
        "mooring:" + version + (isOtherMachine ? "-" + image.architecture() : ""),
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
