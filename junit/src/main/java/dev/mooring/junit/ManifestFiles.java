package dev.mooring.junit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

final class ManifestFiles {
  private final ClassLoader loader;
  private final String namespace;

  ManifestFiles(ClassLoader loader, String namespace) {
    this.loader = loader;
    this.namespace = namespace;
  }

  List<ManifestDocument> read(String... patterns) {
    List<ManifestDocument> documents = new ArrayList<>();
    for (String pattern : patterns) {
      try {
        findTexts(pattern)
            .forEach((name, text) ->
                documents.addAll(
                    ManifestDocument.parse(name, text.replace("${namespace}", namespace))));
      } catch (IOException | URISyntaxException | PatternSyntaxException e) {
        throw new ExtensionConfigurationException(pattern + ": " + e, e);
      }
    }
    return documents;
  }

  private Map<String, String> findTexts(String pattern) throws IOException, URISyntaxException {
    int slash = pattern.lastIndexOf('/');
    String directory = slash < 0 ? "" : pattern.substring(0, slash);
    String fileName = pattern.substring(slash + 1);
    if (!fileName.contains("*")) {
      try (InputStream file = loader.getResourceAsStream(pattern)) {
        if (file != null) {
          return Map.of(pattern, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    Map<String, String> texts = new TreeMap<>();
    for (URL url : Collections.list(loader.getResources(directory))) {
      if (url.getProtocol().equals("file")) {
        addTexts(texts, pattern, Path.of(url.toURI()));
      }
    }
    if (texts.isEmpty() && Files.isDirectory(Path.of(directory))) {
      addTexts(texts, pattern, Path.of(directory));
    }
    if (texts.isEmpty()) {
      throw new ExtensionConfigurationException(
          pattern + ": no such file on the class path or in " + Path.of("").toAbsolutePath());
    }
    return texts;
  }

  private static void addTexts(Map<String, String> texts, String pattern, Path directory)
      throws IOException {
    int nameStart = pattern.lastIndexOf('/') + 1;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, pattern.substring(nameStart))) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          texts.put(pattern.substring(0, nameStart) + file.getFileName(), readText(file));
        }
      }
    }
  }

  private static String readText(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new ExtensionConfigurationException(file + ": the file is not in UTF-8", e);
    }
  }
}
