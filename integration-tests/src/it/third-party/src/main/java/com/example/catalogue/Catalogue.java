package com.example.catalogue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of the catalogue. An entry is written to a temporary file and moved atomically. */
final class Catalogue {
  private final Path folder;

  Catalogue(Path folder) {
    this.folder = folder;
  }

  boolean isBelow(String path) {
    return Path.of(path).startsWith(folder);
  }

  private Path entry(String volume) {
    return folder.resolve(volume + ".json");
  }

  private Path directory(String volume) {
    return folder.resolve(volume);
  }

  Attempt<Provisioner.Provisioned> enter(Provisioner.Request request) {
    String volume = request.volumeName();
    Optional<List<Map<String, String>>> topology = Rooms.choose(request);
    if (topology.isEmpty()) {
      return Attempt.rejected("class " + request.className() + " allows no volume in the room of node " + request.selectedNode());
    }
    try {
      Quantity size = Files.exists(entry(volume)) ? size(volume) : request.capacity();
      Files.createDirectories(directory(volume));
      write(volume, size);
      return Attempt.done(
          new Provisioner.Provisioned(
              VolumeSource.hostPath(directory(volume).toString()),
              size,
              request.accessModes(),
              Map.of("example.com/library", CataloguePlugin.LIBRARY),
              topology.get()));
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("entering " + volume + " failed: " + e));
    }
  }

  Attempt<Deleter.Deleted> strike(Deleter.Request request) {
    String volume = request.volumeName();
    if (!request.source().attribute("path").equals(directory(volume).toString())) {
      return Attempt.rejected(request.source() + " is not where the catalogue has " + volume);
    }
    try {
      Files.deleteIfExists(directory(volume));
      Files.deleteIfExists(entry(volume)); // last: the entry describes what is left to delete
      return Attempt.done(new Deleter.Deleted());
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("striking " + volume + " failed: " + e));
    }
  }

  Attempt<Expander.Expanded> correct(Expander.Request request) {
    try {
      write(request.volumeName(), request.requestedSize());
      return Attempt.done(new Expander.Expanded(request.requestedSize(), false));
    } catch (IOException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("correcting " + request.volumeName() + " failed: " + e));
    }
  }

  private Quantity size(String volume) throws IOException {
    // the old form, which every version accepts
    JsonObject json = new JsonParser().parse(Files.readString(entry(volume))).getAsJsonObject();
    return Quantity.of(json.get("size").getAsString());
  }

  private void write(String volume, Quantity size) throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty("path", directory(volume).toString());
    json.addProperty("size", size.toString());
    Path beside = Files.writeString(folder.resolve(volume + ".new"), json.toString());
    Files.move(beside, entry(volume), StandardCopyOption.ATOMIC_MOVE);
  }
}
