"""Profiles and settings: from what the user typed to what is loaded and how it generates.

Torch-free. Start at `resolution.resolve`.
"""

from __future__ import annotations

from specgen.profiles.choice import known_draft_model, memory_needed
from specgen.profiles.profile import Profile
from specgen.profiles.resolution import Selection, resolve, select
from specgen.profiles.search import Listed, find_profile, list_profiles, shipped_profiles
from specgen.profiles.settings import GenerationSettings, LoadSettings, Overrides, Settings

__all__ = [
    "GenerationSettings",
    "Listed",
    "LoadSettings",
    "Overrides",
    "Profile",
    "Selection",
    "Settings",
    "find_profile",
    "known_draft_model",
    "list_profiles",
    "memory_needed",
    "resolve",
    "select",
    "shipped_profiles",
]
