package dev.mooring.kube;
