package dev.mooring.csi.decide;

public record SecretRef(String namespace, String name) {}
