package dev.mooring.dist.image;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Packs a root file system as an OCI image. The result depends only on the files and their time.
 */
final class ImageTar {
  private static final FilePermissions FILE = FilePermissions.fromOctalString("644");
  private static final FilePermissions PROGRAM = FilePermissions.fromOctalString("755");
  private static final FilePermissions WORLD_WRITABLE = FilePermissions.fromOctalString("777");
  private static final AbsoluteUnixPath TMP = AbsoluteUnixPath.get("/tmp");

  private ImageTar() {}

  /**
   * Writes an image.
   *
   * @param labels OCI annotations
   * @param scratch directory for temporary files
   * @return digest of the manifest
   */
  static String write(
      RootFilesystem files, ImageName name, Map<String, String> labels, Path target, Path scratch)
      throws IOException, InterruptedException {
    JibContainerBuilder image =
        Jib.fromScratch()
            .setPlatforms(Set.of(new Platform(name.architecture, "linux")))
            .setFormat(ImageFormat.OCI)
            .setCreationTime(files.time())
            .setUser(RootFilesystem.USER + ":" + RootFilesystem.USER)
            .setWorkingDirectory(TMP)
            .setEnvironment(Map.of("LANG", "C.UTF-8"))
            .setEntrypoint(RootFilesystem.JAVA, "@" + RootFilesystem.ARGUMENTS)
            .setProgramArguments("help")
            .setLabels(labels)
            .setFileEntriesLayers(layers(files));
    try {
      JibContainer container =
          image.containerize(
              Containerizer.to(TarImage.at(target).named(name.reference))
                  .setToolName("mooring")
                  .setOfflineMode(true)
                  .setBaseImageLayersCache(scratch.resolve("base"))
                  .setApplicationLayersCache(scratch.resolve("layers")));
      return container.getDigest().toString();
    } catch (InvalidImageReferenceException
        | CacheDirectoryCreationException
        | RegistryException
        | ExecutionException e) {
      throw new IOException("packing the image failed: " + e.getMessage(), e);
    }
  }

  /**
   * Name of an image.
   *
   * @param reference repository and tag
   * @param architecture OCI name of the processor
   */
  record ImageName(String reference, String architecture) {}

  /**
   * Layers of the image. The layer that changes least comes first, so that registries and nodes can
   * reuse it.
   */
  private enum ImageLayer {
    SYSTEM,
    RUNTIME,
    LIBRARIES,
    PROGRAM,
    CLASSES;

    static ImageLayer of(String path) {
      if (path.equals(ClassArchive.FILE)) {
        return CLASSES;
      }
      if (path.startsWith(RootFilesystem.HOME + "/runtime/")) {
        return RUNTIME;
      }
      if (path.startsWith(RootFilesystem.HOME + "/app/lib/")) {
        return LIBRARIES;
      }
      return path.startsWith(RootFilesystem.HOME) ? PROGRAM : SYSTEM;
    }
  }

  private static List<FileEntriesLayer> layers(RootFilesystem files) throws IOException {
    List<FileEntriesLayer> layers = new ArrayList<>();
    for (ImageLayer layer : ImageLayer.values()) {
      FileEntriesLayer.Builder contents =
          FileEntriesLayer.builder().setName(layer.name().toLowerCase(Locale.ROOT));
      for (Path file : files.files()) {
        String path = files.imagePath(file);
        if (ImageLayer.of(path) == layer) {
          contents.addEntry(
              file,
              AbsoluteUnixPath.get(path),
              Files.isExecutable(file) ? PROGRAM : FILE,
              files.time());
        }
      }
      if (layer == ImageLayer.SYSTEM) {
        contents.addEntry(files.resolve(TMP.toString()), TMP, WORLD_WRITABLE, files.time());
      }
      layers.add(contents.build());
    }
    layers.removeIf(layer -> layer.getEntries().isEmpty());
    return layers;
  }
}
